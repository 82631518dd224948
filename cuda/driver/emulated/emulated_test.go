package emulated_test

import (
	"fmt"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/drivertest"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

func TestConformance(t *testing.T) { drivertest.Run(t, emulated.New) }

// The laws hold whatever the order of what nothing orders.
func TestConformanceOfSchedules(t *testing.T) {
	for schedule := range uint64(3) {
		t.Run(fmt.Sprint(1+schedule), func(t *testing.T) {
			drivertest.Run(t, func() driver.Driver {
				return emulated.NewWith(emulated.Options{Checks: vm.Checked(), Schedule: 1 + schedule})
			})
		})
	}
}
