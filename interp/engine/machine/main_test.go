package machine

import (
	"os"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Run(m, "interp/engine/machine")) }
