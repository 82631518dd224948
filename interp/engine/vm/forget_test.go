package vm_test

import (
	"flag"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/enginetest"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
)

// TestForgettingEverywhere runs the corpus with all that the engine holds dead cleared at every turn of a loop and call: a slot
// that is read after that would be zero.
func TestForgettingEverywhere(t *testing.T) {
	vm.AskAlways(true)
	defer vm.AskAlways(false)
	enginetest.Programs(t, conformance.On(newEngine), enginetest.Options{Shallow: true})
}

// TestProgramsHaveTheirOwnTestFlags: the verbosity of the go test that runs a program is not that of the tests in it.
func TestProgramsHaveTheirOwnTestFlags(t *testing.T) {
	verbose := flag.Lookup("test.v")
	before := verbose.Value.String()
	if err := verbose.Value.Set("true"); err != nil {
		t.Fatal(err)
	}
	defer verbose.Value.Set(before)
	all, err := conformance.Corpus()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if p.ID() != "synctest/bubbles" {
			continue
		}
		got, err := conformance.Whole(conformance.On(newEngine), p)
		if err != nil {
			t.Fatal(err)
		}
		if d := conformance.Differences(got, p.Want); d != "" {
			t.Error(d)
		}
		if verbose.Value.String() != "true" {
			t.Error("the test's own flag is another")
		}
		return
	}
	t.Error("there is no program synctest/bubbles")
}
