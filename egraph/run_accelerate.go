package egraph

import (
	"fmt"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
)

// On runs all iterations on an accelerator, or fails with an *UnfitError.
func On(a accel.Accelerator) RunOption {
	return func(r *runner) { r.away = placement{to: a, told: true}; r.given("On", a != nil) }
}

// OnHost runs all iterations on the host, whatever accelerators there are.
func OnHost() RunOption { return func(r *runner) { r.away = placement{told: true} } }

// Auto lets a run go to an accelerator once the graph has so many nodes and the rules fit; a run without a
// word about it goes to the accelerator that RegisterAccelerator brought, if any, once it has offloadFrom nodes.
func Auto(a accel.Accelerator, nodes int) RunOption {
	return func(r *runner) { r.away = placement{to: a, from: nodes}; r.given("Auto", a != nil) }
}

// offloadFrom is how many nodes a graph has before its iterations are worth a transfer.
const offloadFrom = 1 << 17

var registered struct {
	sync.Mutex
	find func() accel.Accelerator
}

// RegisterAccelerator says where runs may go that do not say: find is asked when a run has become large, and
// may answer nil.
func RegisterAccelerator(find func() accel.Accelerator) {
	registered.Lock()
	defer registered.Unlock()
	registered.find = find
}

// placement is where a run's iterations are to be.
type placement struct {
	to   accel.Accelerator
	told bool
	from int    // nodes
	why  string // why the host was chosen after all
}

// reason says why the run was where it was.
func (p *placement) reason() string {
	switch {
	case p.why != "":
		return p.why
	case p.told:
		return "it was told"
	case p.to != nil:
		return fmt.Sprintf("the graph passed %d nodes", p.from)
	}
	return "the graph stayed small"
}
