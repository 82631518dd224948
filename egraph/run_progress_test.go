package egraph

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A lookedAt is a screen that keeps what it is shown.
type lookedAt struct {
	sync.Mutex
	shown []string
}

func (s *lookedAt) Show(b display.Bundle, _ string, _ bool) {
	s.Lock()
	defer s.Unlock()
	s.shown = append(s.shown, b.Data[display.TypeText].(string))
}

func (s *lookedAt) Clear(bool) {}

// A run that lasts shows a bar where somebody looks on, and none in a program.
func TestBarInNotebooksOnly(t *testing.T) {
	defer func(after time.Duration) { usualBarAfter = after }(usualBarAfter)
	usualBarAfter = 0
	for _, looking := range []bool{true, false} {
		s := &lookedAt{}
		before := display.SetScreen(nil)
		if looking {
			display.SetScreen(s)
		}
		g, rules := mathGraph(t)
		if bar := usualBar(); (bar != nil) != looking {
			t.Errorf("a bar: %v, somebody looks on: %v", bar != nil, looking)
		}
		g.Run(rules, Iterations(9), MaxNodes(20_000))
		display.SetScreen(before)
		if got := strings.Join(s.shown, "\n"); strings.Contains(got, "equality saturation") != looking {
			t.Errorf("somebody looks on: %v, shown: %q", looking, got)
		}
	}
}
