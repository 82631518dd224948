package emulated_test

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver/drivertest"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
)

func TestConformance(t *testing.T) { drivertest.Run(t, emulated.New) }
