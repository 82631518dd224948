package interp

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// rosterLines bounds how many lines of goroutines an error shows.
const rosterLines = 12

// stateKept ends the lines of an error that ended the cell alone.
const stateKept = dim + "The cell ended, its state is kept." + unstyled

// interrupted says where the cell stood, and where the other goroutines of the cells did.
func (s *Session) interrupted(e *engine.Interrupted) *worker.CellError {
	others := e.Goroutines
	if others == nil {
		others = s.current().Goroutines()
	}
	lines := append([]string{bold + "Interrupted" + unstyled}, s.stack(e.Stack)...)
	if len(others) > 0 {
		lines = append(lines, "Other goroutines of the cells:")
	}
	for _, line := range roster(others) {
		lines = append(lines, "  "+line)
	}
	return &worker.CellError{Name: "Interrupted", Value: "the cell was interrupted; its state is kept",
		Traceback: append(lines, stateKept)}
}

// deadlocked says where every goroutine waits, the cell's own with its stack.
func (s *Session) deadlocked(e *engine.Deadlock) *worker.CellError {
	lines := []string{bold + "fatal error: " + e.Error() + unstyled}
	for i, g := range e.Goroutines {
		if i == 0 {
			lines = append(append(lines, state(g)+":"), s.stack(g.Stack)...)
		}
	}
	if len(e.Goroutines) > 0 {
		lines = append(lines, roster(e.Goroutines[1:])...)
	}
	lines = append(lines, stateKept)
	return &worker.CellError{Name: "Deadlock", Value: e.Error(), Traceback: lines}
}

func state(g engine.Goroutine) string { return fmt.Sprintf("goroutine %d [%s]", g.ID, g.Wait) }

// roster is a line for each goroutine, or for all that stand at one place for one reason.
func roster(all []engine.Goroutine) []string {
	type group struct {
		first engine.Goroutine
		n     int
	}
	var groups []*group
	places := map[string]*group{}
	for _, g := range all {
		key := g.Wait + standing(g)
		if p, ok := places[key]; ok {
			p.n++
			continue
		}
		p := &group{g, 1}
		places[key] = p
		groups = append(groups, p)
	}
	var lines []string
	rest := 0
	for i, p := range groups {
		switch {
		case i >= rosterLines && len(groups) > rosterLines+1:
			rest += p.n
		case p.n > 1:
			lines = append(lines, fmt.Sprintf("%d goroutines [%s]%s", p.n, p.first.Wait, standing(p.first)))
		default:
			lines = append(lines, state(p.first)+standing(p.first))
		}
	}
	if rest > 0 {
		lines = append(lines, fmt.Sprintf("%s... %d more goroutines ...%s", dim, rest, unstyled))
	}
	return lines
}

// standing is where a goroutine stands, and the go statement that started it, in a line.
func standing(g engine.Goroutine) string {
	text := ""
	if len(g.Stack) > 0 {
		text = fmt.Sprintf(" at %s%s%s %s", bold, g.Stack[0].Function, unstyled, g.Stack[0].Pos)
	}
	if g.Began.Pos.IsValid() {
		text += fmt.Sprintf("%s, started at %s%s", dim, g.Began.Pos, unstyled)
	}
	return text
}
