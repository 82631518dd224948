package wire

import (
	"encoding/binary"
	"errors"
	"strconv"
	"testing"
	"time"
)

// sent is a header of a session, n seconds after a day long ago.
func sent(session string, n int) Header {
	return Header{Session: session, Date: FormatDate(time.Date(2020, 1, 1, 0, 0, n, 0, time.UTC))}
}

// nth is a signature.
func nth(i int) []byte { return binary.BigEndian.AppendUint64(make([]byte, 56), uint64(i)) }

// fill sends messages of a session, as many as make a guard forget all before them.
func fill(t *testing.T, g *ReplayGuard, from, seconds int, session func(i int) string) {
	t.Helper()
	for i := range maxSeen {
		if !g.Fresh(nth(from+i), sent(session(i), seconds+i)) {
			t.Fatalf("message %d of %d is taken for a replay", i, maxSeen)
		}
	}
}

func one(name string) func(int) string { return func(int) string { return name } }

// TestReplays: a message does not come again, however many came meanwhile, and no other is taken for it.
func TestReplays(t *testing.T) {
	g := new(ReplayGuard)
	undated := Header{Session: "s", Date: "yesterday"}
	if !g.Fresh(nth(1), sent("s", 0)) || !g.Fresh(nth(2), undated) {
		t.Fatal("the first are no replays")
	}
	if g.Fresh(nth(1), sent("s", 0)) || g.Fresh(nth(1), sent("other", 9)) || g.Fresh(nth(2), undated) {
		t.Error("came again at once")
	}
	for round := range 3 {
		fill(t, g, (round+1)<<20, 1+round*maxSeen, one("s"))
		if g.Fresh(nth(1), sent("s", 0)) {
			t.Errorf("came again after %d others", (round+1)*maxSeen)
		}
		if n := len(g.young.signatures) + len(g.old.signatures); n > maxSeen {
			t.Errorf("%d signatures are kept", n)
		}
	}
	if !g.Fresh(nth(5<<20), sent("another's clock is behind", 0)) || !g.Fresh(nth(6<<20), undated) {
		t.Error("a message that is new is taken for a replay")
	}
	last := 3<<20 + maxSeen - 1
	if g.Fresh(nth(last), sent("s", 3*maxSeen)) {
		t.Error("the last one was forgotten")
	}
}

// TestReplaysOfManySessions: what is known of sessions is bounded, and those that fall out of it are known by date too.
func TestReplaysOfManySessions(t *testing.T) {
	g := new(ReplayGuard)
	for round := range 2 {
		fill(t, g, (round+1)<<20, round*maxSeen, func(i int) string { return strconv.Itoa(i) })
	}
	if n := len(g.forgotten); n > maxSessions {
		t.Errorf("%d sessions are kept", n)
	}
	if g.Fresh(nth(1<<20), sent("0", 0)) {
		t.Error("the first of all came again")
	}
	if !g.Fresh(nth(1), sent("new", 2*maxSeen)) {
		t.Error("a message of a new session is taken for a replay")
	}
}

// TestClockSetBack: dates in the future do not make a client be refused when its clock is right again.
func TestClockSetBack(t *testing.T) {
	g := new(ReplayGuard)
	ahead := time.Now().Add(time.Hour)
	for i := range 2 * maxSeen {
		g.Fresh(nth(i), Header{Session: "s", Date: FormatDate(ahead)})
	}
	if !g.Fresh(nth(1<<30), NewHeader("s", "", "x")) {
		t.Error("refused")
	}
}

func TestDates(t *testing.T) {
	want := time.Date(2026, 1, 2, 3, 4, 5, 678000, time.UTC)
	for _, text := range []string{"2026-01-02T03:04:05.000678Z", "2026-01-02T03:04:05.000678+00:00", "2026-01-02T04:04:05.000678+01:00", "2026-01-02T03:04:05.000678"} {
		if got, ok := parseDate(text); !ok || !got.Equal(want) {
			t.Errorf("%s: %v", text, got)
		}
	}
	for _, text := range []string{"", "2026", "now"} {
		if got, ok := parseDate(text); ok {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestMalformedOnlyOnce: what is answered with an error is not answered again either.
func TestMalformedOnlyOnce(t *testing.T) {
	s := signer(t, "secret")
	parts := [][]byte{[]byte(`{"msg_type":"x","session":5}`), []byte("{}"), []byte("{}"), []byte("{}")}
	frames := append([][]byte{delimiter, s.Sign(parts...)}, parts...)
	guard := new(ReplayGuard)
	var format *FormatError
	if m, err := s.Parse(frames, guard); !errors.As(err, &format) || m == nil || m.Header.MsgType != "x" {
		t.Errorf("%v", err)
	}
	if m, err := s.Parse(frames, guard); !errors.Is(err, ErrReplay) || m != nil {
		t.Errorf("%v", err)
	}
}
