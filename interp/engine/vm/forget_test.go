package vm_test

import (
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
