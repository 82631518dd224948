package enginetest

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

func TestRefusedList(t *testing.T) {
	l := &RefusedList{known: map[string]string{"a": "x", "b": "y", "c": "z"}, seen: map[string]error{}}
	l.Refused("a", &engine.Refusal{What: "x", Reason: "why"})
	l.Refused("b", &engine.Refusal{What: "x", Reason: "why"})
	l.Refused("new", &engine.Refusal{What: "w", Reason: "why"})
	want := []string{
		`b: refused with "-: x is not supported: why", the list says "y"`,
		"c is not refused: take its line out of the list",
		"new: refused, and not on the list: -: w is not supported: why",
	}
	got := l.Faults()
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
}
