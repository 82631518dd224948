package wire

import (
	"encoding/binary"
	"errors"
	"testing"
)

// nth is a signature.
func nth(i int) []byte { return binary.BigEndian.AppendUint64(make([]byte, 56), uint64(i)) }

// TestReplays: a message does not come again while as many as are remembered came after it, none is
// taken for another, and what is kept is bounded.
func TestReplays(t *testing.T) {
	g := new(ReplayGuard)
	for i := range 5 * remembered {
		if !g.Fresh(nth(i)) {
			t.Fatalf("message %d is taken for a replay", i)
		}
		if again := i - remembered + 1; g.Fresh(nth(i)) || again >= 0 && g.Fresh(nth(again)) {
			t.Fatalf("after message %d: %d or %d came again", i, i, again)
		}
	}
	if n := len(g.young) + len(g.old); n > 2*remembered {
		t.Errorf("%d signatures are kept", n)
	}
	if first, second := g.Fresh(nil), g.Fresh(nil); !first || !second {
		t.Error("a message without a signature is taken for a replay")
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
