package cuda

import (
	"fmt"
	"math"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// Options are of the type of the calls that take them, so that one that does not apply does not
// compile. Where they stand among a kernel's arguments, which are of any type, a call refuses those
// that are not for it, and names the call that they are for. An option may be given once.
type (
	// A LaunchOption is for Device.Launch, Device.Dispatch and Stream.Launch: Shared, Cooperative,
	// Cluster, Elements; On, but for Stream.Launch; Named, but for Device.Dispatch.
	LaunchOption interface{ launch() *option }
	// A PlanOption is for Kernel.Plan: Shared, Cooperative, Cluster, Elements, On, Named,
	// Iterations, Fixpoint, Timed.
	PlanOption interface{ plan() *option }
	// A NodeOption is for the methods of a GraphBuilder: After, Named. GraphBuilder.Launch takes
	// Shared and Elements too.
	NodeOption interface{ node() *option }
	// A NameOption names a graph, or a node that a stream records: Named.
	NameOption interface{ name() *option }
)

// What some options are for at once.
type (
	// A KernelOption is for launches and for plans.
	KernelOption interface {
		LaunchOption
		PlanOption
	}
	// A NodeNameOption is for launches, plans, nodes and graphs.
	NodeNameOption interface {
		LaunchOption
		PlanOption
		NodeOption
		NameOption
	}
)

// A takers is a set of calls, those among whose arguments options stand.
type takers uint8

const (
	byLaunch takers = 1 << iota
	byDispatch
	byStream
	byPlan
	byNode
)

// takerNames are the calls in the order of their bits.
var takerNames = [...]string{"Device.Launch", "Device.Dispatch", "Stream.Launch", "Kernel.Plan",
	"GraphBuilder.Launch"}

func (t takers) String() string {
	var names []string
	for i, name := range takerNames {
		if t&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// optionTakers are the calls that take each option.
var optionTakers = []struct {
	kind string
	by   takers
}{
	{"Shared", byLaunch | byDispatch | byStream | byPlan | byNode},
	{"Elements", byLaunch | byDispatch | byStream | byPlan | byNode},
	{"Cooperative", byLaunch | byDispatch | byStream | byPlan},
	{"Cluster", byLaunch | byDispatch | byStream | byPlan},
	{"On", byLaunch | byDispatch | byPlan},
	{"Named", byLaunch | byStream | byPlan | byNode},
	{"After", byNode},
	{"Iterations", byPlan},
	{"Fixpoint", byPlan},
	{"Timed", byPlan},
}

// takersOf are the calls that take an option.
func takersOf(kind string) (by takers) {
	for _, o := range optionTakers {
		if o.kind == kind {
			by = o.by
		}
	}
	return by
}

// taken are the options that a call takes.
func (t takers) taken() string {
	var kinds []string
	for _, o := range optionTakers {
		if o.by&t != 0 {
			kinds = append(kinds, o.kind)
		}
	}
	return strings.Join(kinds, ", ")
}

// An option is a setting as it was asked for.
type option struct {
	kind  string // "Elements"
	asked string // "Elements(-3)"
	want  string // what would do, where the value does not; else empty
	set   func(*settings)
}

// The types of options differ in the calls that they are for.
type (
	kernelOption struct{ option }
	planOption   struct{ option }
	nodeOption   struct{ option }
	nameOption   struct{ option }
)

func (o *kernelOption) launch() *option { return &o.option }
func (o *kernelOption) plan() *option   { return &o.option }
func (o *planOption) plan() *option     { return &o.option }
func (o *nodeOption) node() *option     { return &o.option }
func (o *nameOption) launch() *option   { return &o.option }
func (o *nameOption) plan() *option     { return &o.option }
func (o *nameOption) node() *option     { return &o.option }
func (o *nameOption) name() *option     { return &o.option }

// settings are what a call was asked for.
type settings struct {
	given       []*option
	shared      uint32
	sharedAsked int
	cooperative bool
	cluster     driver.Dim3
	stream      *Stream
	elements    uint64
	name        string
	iterations  int
	after       []*Node
	flag        string
	most        int
	timed       bool
}

// Shared asks for dynamic shared memory, in bytes a block.
func Shared(bytes int) KernelOption {
	return &kernelOption{option{kind: "Shared", asked: fmt.Sprintf("Shared(%d)", bytes),
		want: unless(bytes >= 0 && bytes <= math.MaxUint32, "a number of bytes, 0 or more"),
		set:  func(o *settings) { o.sharedAsked, o.shared = bytes, uint32(bytes) }}}
}

// Cooperative asks for all blocks to be resident together, so that they may wait for each other.
func Cooperative() KernelOption {
	return &kernelOption{option{kind: "Cooperative", asked: "Cooperative()",
		set: func(o *settings) { o.cooperative = true }}}
}

// On launches on a stream other than the device's own.
func On(s *Stream) KernelOption {
	return &kernelOption{option{kind: "On", asked: "On(" + s.String() + ")",
		want: unless(s != nil && s.dev != nil, "a stream"),
		set:  func(o *settings) { o.stream = s }}}
}

// Elements says for how many elements a launch is, for the telemetry of threads that had none.
func Elements(n int) KernelOption {
	return &kernelOption{option{kind: "Elements", asked: fmt.Sprintf("Elements(%d)", n),
		want: unless(n >= 0, "a number of elements, 0 or more"),
		set:  func(o *settings) { o.elements = uint64(n) }}}
}

// Named names a graph, or in it the node of a launch, a fill, a copy or a condition.
func Named(name string) NodeNameOption {
	return &nameOption{option{kind: "Named", asked: fmt.Sprintf("Named(%q)", name),
		want: unless(name != "", "a name"),
		set:  func(o *settings) { o.name = name }}}
}

// After says what a node of a GraphBuilder waits for. In a capture the order of calls decides.
func After(nodes ...*Node) NodeOption {
	return &nodeOption{option{kind: "After", asked: "After",
		set: func(o *settings) { o.after = append(o.after, nodes...) }}}
}

// Iterations launches the kernel n times in each dispatch of a plan: a fixpoint on resident data.
func Iterations(n int) PlanOption {
	return &planOption{option{kind: "Iterations", asked: fmt.Sprintf("Iterations(%d)", n),
		want: unless(n >= 1, "at least one iteration"),
		set:  func(o *settings) { o.iterations = n }}}
}

// Timed measures each dispatch of a plan on the device.
func Timed() PlanOption {
	return &planOption{option{kind: "Timed", asked: "Timed()", set: func(o *settings) { o.timed = true }}}
}

// Fixpoint launches the kernel of a plan again and again until a launch leaves the flag at 0, at
// most so many times. flag names a binding whose first 32-bit word the kernel sets where it changed
// something; the word is set to 0 before each launch, outputs before the first. The device decides,
// in a WHILE node, and the host waits once: it needs a driver of CUDA 12.3 or newer. Pending.Rounds
// tells how many launches it took.
func Fixpoint(flag string, most int) PlanOption {
	var want string
	switch {
	case flag == "":
		want = "the name of a binding"
	case most < 1 || most > math.MaxInt32:
		want = "1 to 2147483647 launches at most"
	}
	return &planOption{option{kind: "Fixpoint", asked: fmt.Sprintf("Fixpoint(%q, %d)", flag, most), want: want,
		set: func(o *settings) { o.flag, o.most = flag, most }}}
}

// unless is what is wanted where a value does not do.
func unless(ok bool, want string) string {
	if ok {
		return ""
	}
	return want
}

// split parts options from arguments, and refuses options that the call does not take.
func split(op string, by takers, mixed []any) (settings, []any, error) {
	var o settings
	args := make([]any, 0, len(mixed))
	for _, a := range mixed {
		given, ok := optionOf(a)
		if !ok {
			args = append(args, a)
			continue
		}
		if err := o.take(op, by, given); err != nil {
			return o, nil, err
		}
	}
	return o, args, nil
}

// optionOf finds an option among arguments.
func optionOf(arg any) (*option, bool) {
	switch a := arg.(type) {
	case *kernelOption:
		return &a.option, true
	case *planOption:
		return &a.option, true
	case *nodeOption:
		return &a.option, true
	case *nameOption:
		return &a.option, true
	}
	return nil, false
}

// take takes an option in, or refuses it.
func (o *settings) take(op string, by takers, given *option) error {
	if of := takersOf(given.kind); of&by == 0 {
		return &Error{Op: op, Want: "no options but " + by.taken(), Got: given.asked,
			Fix: given.kind + " is for " + of.String()}
	}
	return o.add(op, given)
}

// add takes in an option that the call takes.
func (o *settings) add(op string, given *option) error {
	if given.want != "" {
		return &Error{Op: op, What: given.kind, Want: given.want, Got: given.asked}
	}
	for _, before := range o.given {
		if before.kind == given.kind && given.kind != "After" {
			return &Error{Op: op, Want: given.kind + " at most once", Got: before.asked + " and " + given.asked}
		}
	}
	o.given = append(o.given, given)
	given.set(o)
	return nil
}

// nodeOptions are the options of a node.
func nodeOptions(op string, list []NodeOption) (o settings, err error) {
	for _, given := range list {
		if given == nil {
			return o, nilOption(op)
		}
		if err := o.add(op, given.node()); err != nil {
			return o, err
		}
	}
	return o, nil
}

// nameOr is what Named says, else the usual name.
func nameOr(op, usual string, list []NameOption) (string, error) {
	var o settings
	for _, given := range list {
		if given == nil {
			return "", nilOption(op)
		}
		if err := o.add(op, given.name()); err != nil {
			return "", err
		}
	}
	if o.name == "" {
		return usual, nil
	}
	return o.name, nil
}

func nilOption(op string) error { return &Error{Op: op, Want: "an option", Got: "nil"} }
