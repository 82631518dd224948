package enginetest

import (
	"os"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
	"github.com/vyre-kernel/vyre-kernel/interp/check"
)

// TestMain has go/ssa check all functions that it builds for cells.
func TestMain(m *testing.M) {
	check.Checks = ssa.SanityCheckFunctions
	os.Exit(leaktest.Run(m, "interp/engine/enginetest", "!machine.WaitFor", "!machine.Go in "))
}
