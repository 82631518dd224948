package kernel

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	// logBurst is how many lines with one text are logged in a period.
	logBurst = 20
	// logPeriod is the first, logPeriodMost the longest: each that was not enough makes the next
	// twice as long.
	logPeriod, logPeriodMost = 10 * time.Second, time.Hour
)

// A limitedLog passes on so many lines with one text as a person reads, and counts the others:
// whatever is sent to a kernel, its log does not grow without end. Lines for who asked to see every
// message are all passed on.
type limitedLog struct {
	slog.Handler
	lines *logLines
}

// logLines are the texts that were logged; they are constants of the program.
type logLines struct {
	mu   sync.Mutex
	text map[string]*logLine
}

type logLine struct {
	since   time.Time
	period  time.Duration
	logged  int // since then
	omitted int // not said yet
}

func limitLog(log *slog.Logger) *slog.Logger {
	return slog.New(limitedLog{log.Handler(), &logLines{text: map[string]*logLine{}}})
}

// Handle passes a line on, or counts it.
func (l limitedLog) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelInfo {
		return l.Handler.Handle(ctx, r)
	}
	pass, omitted, last := l.lines.count(r.Message, r.Time)
	if !pass {
		return nil
	}
	r = shortened(r)
	if omitted > 0 {
		r.AddAttrs(slog.Int("omitted", omitted))
	}
	if last > 0 {
		r.AddAttrs(slog.Duration("omitting_for", last))
	}
	return l.Handler.Handle(ctx, r)
}

// logText bounds a text of a line: a message type may have megabytes.
const logText = 16 << 10

// shortened is a line with no text that is too long.
func shortened(r slog.Record) slog.Record {
	short := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		if text := a.Value.String(); len(text) > logText {
			a.Value = slog.StringValue(text[:logText] + "...")
		}
		short.AddAttrs(a)
		return true
	})
	return short
}

// count reports whether a line is passed on, how many were omitted before it, and, with the last
// one that is, how long the next are omitted.
func (l *logLines) count(text string, now time.Time) (pass bool, omitted int, last time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	line := l.text[text]
	if line == nil {
		line = &logLine{since: now, period: logPeriod}
		l.text[text] = line
	}
	if now.Sub(line.since) >= line.period {
		line.next(now)
	}
	if line.logged == logBurst {
		line.omitted++
		return false, 0, 0
	}
	line.logged++
	omitted, line.omitted = line.omitted, 0
	if line.logged == logBurst {
		last = line.period - now.Sub(line.since)
	}
	return true, omitted, last
}

// next begins a period.
func (l *logLine) next(now time.Time) {
	if l.omitted > 0 {
		l.period = min(2*l.period, logPeriodMost)
	} else {
		l.period = logPeriod
	}
	l.since, l.logged = now, 0
}

// WithAttrs and WithGroup keep counting together.
func (l limitedLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return limitedLog{l.Handler.WithAttrs(attrs), l.lines}
}

// WithGroup is as WithAttrs.
func (l limitedLog) WithGroup(name string) slog.Handler {
	return limitedLog{l.Handler.WithGroup(name), l.lines}
}
