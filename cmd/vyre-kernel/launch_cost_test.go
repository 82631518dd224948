package main

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// Shapes are values that a cell's calls return in registers: nothing is allocated for them, as
// package reflect would.
func TestShapesCostCellsNothing(t *testing.T) {
	s := testSession(t)
	const cell = `for name, f := range map[string]func(){
	"Grid":    func() { cuda.Grid(7) },
	"Block":   func() { cuda.Block(32) },
	"GridFor": func() { cuda.GridFor(1000, 32) },
} {
	if n := testing.AllocsPerRun(100, f); n != 0 {
		panic(fmt.Sprint(name, " allocates ", n, " times"))
	}
}`
	if e := s.Execute(t.Context(), worker.ExecuteRequest{Number: 1, Source: cell}, silent{}).Error; e != nil {
		t.Error(e.Value)
	}
}
