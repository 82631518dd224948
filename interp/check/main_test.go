package check

import (
	"os"
	"testing"

	"golang.org/x/tools/go/ssa"
)

// TestMain has go/ssa check all functions that it builds for cells.
func TestMain(m *testing.M) {
	Checks = ssa.SanityCheckFunctions
	os.Exit(m.Run())
}
