package emulated_test

import (
	"os"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
)

// TestMain fails when executors outlive the contexts that they worked for.
func TestMain(m *testing.M) { os.Exit(leaktest.Run(m, "vyre-kernel/cuda")) }
