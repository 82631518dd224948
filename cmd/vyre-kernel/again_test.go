package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cmd/vyre-kernel/notebook/export"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// TestEveryTutorialRunsAgain: a reader runs a tutorial to its end, and then its cells once more in
// the same session, as people do. A cell that did not fail the first time does not fail the second
// time: nothing that a cell leaves, a fault on a device say, is in the way of another.
func TestEveryTutorialRunsAgain(t *testing.T) { // U1
	t.Setenv("VYRE_CUDA_DEVICE", "emulated")
	paths, err := filepath.Glob("../../notebooks/*.ipynb")
	if err != nil || len(paths) < 7 {
		t.Fatalf("%d tutorials, %v", len(paths), err)
	}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		nb, err := export.Read(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Chdir(t.TempDir())
			runsTwice(t, nb)
		})
	}
}

func runsTwice(t *testing.T, nb *export.Notebook) {
	s := testSession(t)
	n := 0
	pass := func() map[int]*worker.CellError {
		failed := map[int]*worker.CellError{}
		for i, c := range nb.Cells {
			if c.Type != export.Code {
				continue
			}
			n++
			if err := s.Execute(t.Context(), worker.ExecuteRequest{Number: n, Source: c.Source}, silent{}).Error; err != nil {
				failed[i] = err
			}
		}
		return failed
	}
	first := pass()
	for i, err := range first {
		t.Logf("cell %d fails the first time: %s: %s", i, err.Name, err.Value)
	}
	for i, err := range pass() {
		if first[i] == nil {
			t.Errorf("cell %d fails when it runs again: %s: %s\n%s", i, err.Name, err.Value, nb.Cells[i].Source)
		}
	}
}
