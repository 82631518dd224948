package interp

import (
	"fmt"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// An output that is replaced in a loop is sent as it was first and as it is when something else is
// shown or the cell ends.
func TestUpdatesOfAnOutputAreFew(t *testing.T) {
	var s screen
	s.init()
	h := &host{}
	s.enter(t.Context(), h)
	bundle := func(text string) display.Bundle {
		return display.Bundle{Data: map[string]any{display.TypeText: text}}
	}
	s.Show(bundle("first"), "h", false)
	for i := range 1000 {
		s.Show(bundle(fmt.Sprint(i)), "h", true)
	}
	s.Show(bundle("other"), "", false)
	s.Show(bundle("last"), "h", true)
	s.updates.Flush()
	var got []string
	for _, d := range h.shown {
		got = append(got, fmt.Sprintf("%v %t", d.Bundle.Data[display.TypeText], d.Update))
	}
	n := len(got)
	if n < 4 || n > 60 || got[0] != "first false" || got[n-3] != "999 true" || got[n-2] != "other false" ||
		got[n-1] != "last true" {
		t.Errorf("shown %q", got)
	}
}
