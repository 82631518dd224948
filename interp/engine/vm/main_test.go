package vm_test

import (
	"os"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
)

// TestMain lets goroutines of programs be left: main may return before them.
func TestMain(m *testing.M) {
	os.Exit(leaktest.Run(m, "interp/engine/vm", "interp/engine/machine", "interp/engine/lower", "interp/engine/calls",
		"!machine.Go in ", "!machine.WaitFor"))
}
