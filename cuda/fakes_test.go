package cuda

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/drivertest"
)

// namedFunction is a kernel that only has a name.
type namedFunction struct{ driver.Function }

func (namedFunction) Name() string { return "k" }

// submitPlan makes a plan of several and submits it.
func submitPlan(d *Device, read []BufferRange, items ...PlanItem) (*Pending, error) {
	p, err := d.Plan(items...)
	if err != nil {
		return nil, err
	}
	return p.Submit(nil, read...)
}

var kernelsPTX = drivertest.KernelsPTX()

var byteType = reflect.TypeFor[byte]()

func reflectType(v any) reflect.Type { return reflect.TypeOf(v) }

type pairWithPointer struct{ P *int }

func equalValues(a, b any) bool { return reflect.DeepEqual(a, b) }
