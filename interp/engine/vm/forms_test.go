package vm_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
)

// Every form of an instruction that is folded, fused or specialised for a type or for where its
// operands come from gives what the general form gives.
//
// Each kind has a process of its own.
func TestForms(t *testing.T) {
	for _, k := range formKinds() {
		t.Run(k.name, func(t *testing.T) {
			if os.Getenv(formsVariable) == "" {
				formsIn(t, os.Args[0], k.name)
				return
			}
			compareForms(t, k)
		})
	}
}

// formsVariable is set in the processes that compare the forms of a kind.
const formsVariable = "VYRE_FORMS"

// formsIn compares the forms of a kind in a process of a test binary's.
func formsIn(t *testing.T, binary, kind string, flags ...string) {
	t.Helper()
	run := "-test.run=^TestForms$/^" + regexp.QuoteMeta(kind) + "$"
	c := exec.Command(binary, append(flags, run, "-test.v")...)
	c.Env = append(os.Environ(), formsVariable+"=1")
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestForms/"+kind) {
		t.Errorf("%s: %v\n%s", kind, err, out)
	}
}

func compareForms(t *testing.T, k formKind) {
	source := formsOf(k)
	run := func(prepare func(engine.Engine)) []string {
		e := open(t, vm.Options{})
		prepare(e)
		own := conformance.On(func() (engine.Engine, error) { return e, nil })
		o, err := conformance.Whole(own, conformance.Program{Source: source})
		if err != nil || o.Exit != 0 {
			t.Fatal(err, o)
		}
		return strings.Split(o.Stdout, "\n")
	}
	want := run(vm.General)
	sameLines(t, run(func(engine.Engine) {}), want)
	if k.name == "int" && testing.CoverMode() == "" { // with loops that are asked at every turn
		vm.AskAlways(true)
		defer vm.AskAlways(false)
		sameLines(t, run(func(engine.Engine) {}), want)
	}
}

func sameLines(t *testing.T, got, want []string) {
	t.Helper()
	if len(got) != len(want) || len(got) < 100 {
		t.Fatalf("%d lines, and %d in the general form", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s, in the general form %s", got[i], want[i])
		}
	}
}
