package kernel

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// TestLogIsLimited: of a flood a few lines are logged, and how many they stand for.
func TestLogIsLimited(t *testing.T) {
	var out bytes.Buffer
	log := limitLog(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug})))
	for _, l := range []*slog.Logger{log, log.With("channel", "shell"), log.WithGroup("g")} {
		for range 1000 {
			l.Warn("flood", "x", 1)
		}
	}
	log.Error("another", "long", strings.Repeat("abc", logText))
	for range 2 * logBurst {
		log.Debug("asked for")
	}
	for text, want := range map[string]int{"flood": logBurst, "another": 1, "asked for": 2 * logBurst,
		"omitting_for=": 1} {
		if out.Len() > 2*logText {
			t.Error("a long text is logged whole")
		}
		if got := strings.Count(out.String(), text); got != want {
			t.Errorf("%q is logged %d times, want %d", text, got, want)
		}
	}
}

// TestLogPeriods: a flood that goes on is logged ever less often, and what is quiet again as at
// first.
func TestLogPeriods(t *testing.T) {
	l := &logLines{text: map[string]*logLine{}}
	now := time.Now()
	flood := func() (passed, omitted int) {
		for range 100 {
			if pass, n, _ := l.count("x", now); pass {
				passed, omitted = passed+1, omitted+n
			}
		}
		return passed, omitted
	}
	for i, c := range []struct {
		after           time.Duration
		passed, omitted int
	}{
		{0, logBurst, 0}, {logPeriod - 1, 0, 0}, {1, logBurst, 180}, {logPeriod, 0, 0}, {logPeriod, logBurst, 180},
		{1000 * time.Hour, logBurst, 80},
	} {
		now = now.Add(c.after)
		if passed, omitted := flood(); passed != c.passed || omitted != c.omitted {
			t.Errorf("%d: %d lines were logged and %d omitted, want %d and %d", i, passed, omitted, c.passed, c.omitted)
		}
	}
	for range 20 {
		now = now.Add(logPeriodMost)
		flood()
	}
	if p := l.text["x"].period; p != logPeriodMost {
		t.Errorf("the longest period is %v", p)
	}
	now = now.Add(logPeriodMost)
	l.count("x", now)
	now = now.Add(logPeriodMost)
	if l.count("x", now); l.text["x"].period != logPeriod {
		t.Errorf("after a quiet period it is %v", l.text["x"].period)
	}
}
