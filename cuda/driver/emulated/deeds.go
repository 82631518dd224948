package emulated

import (
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

// A deed is what an operation, or a node of a graph, did to memory.
type deed struct {
	o     *op
	path  []turn // in a graph
	what  string // "kernel saxpy, launch 3,"
	kind  string // the kernel; empty for others
	count uint64 // the launch
	spans map[*vm.Allocation][]vm.Span
	steps *vm.Footprint
	// trails are where the instructions of a kernel went.
	trails map[*vm.Allocation][]*vm.Trail
	calls  clock // of the context, when it began
}

// host stands for the host's memory, whose spans are addresses.
var hostBytes = &vm.Allocation{Label: "host memory", Size: 1<<64 - 1}

// A turn is a node of a plan that runs, for the round-th time in a loop.
type turn struct {
	plan  *plan
	node  int // in the plan's order
	round int
}

// before reports whether what an earlier operation did is ordered before what d does.
func (earlier *deed) before(d *deed) bool {
	a, b := earlier.o, d.o
	if a == b {
		return pathsOrdered(earlier.path, d.path)
	}
	t := tick{a.stream, a.n}
	return a.stream == b.stream || b.before.covers(t) || b.host.covers(t) || d.calls.covers(t)
}

// pathsOrdered compares nodes of one launch, of which the first ran earlier.
func pathsOrdered(a, b []turn) bool {
	for i := range min(len(a), len(b)) {
		switch {
		case a[i].round != b[i].round:
			return true
		case a[i].node != b[i].node:
			return b[i].plan.reaches(a[i].node, b[i].node)
		}
	}
	return true
}

// deeds are what the operations of a context did that others may run beside.
type deeds struct {
	mu   sync.Mutex
	past map[*vm.Allocation][]*deed
}

func (d *deeds) clear() {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.past)
}

// mostDeeds is how many are kept of an allocation: what is older may be missed.
const mostDeeds = 512

// judge compares a deed with those before it, and keeps it. The error is a fault that names both.
func (c *context) judge(d *deed) error {
	if d == nil {
		return nil
	}
	if d.steps != nil {
		d.spans, d.trails, d.steps = d.steps.Spans(), d.steps.Trails(), nil
	}
	oldest := c.queue.oldestHost()
	c.deeds.mu.Lock()
	defer c.deeds.mu.Unlock()
	for a, spans := range d.spans {
		kept := c.deeds.past[a][:0]
		for _, p := range c.deeds.past[a] {
			if !p.before(d) {
				if x, y, ok := collide(p.spans[a], spans); ok {
					return raceOf(a, p, x, d, y)
				}
			} else if oldest.covers(tick{p.o.stream, p.o.n}) || slices.Equal(p.spans[a], spans) {
				continue // before everything that is to come, or d stands for it
			}
			kept = append(kept, p)
		}
		if len(kept) >= mostDeeds {
			kept = slices.Delete(kept, 0, 1)
		}
		c.deeds.past[a] = append(kept, d)
	}
	return nil
}

// forget drops what one launch did, or what was done to memory that is no more.
func (c *context) forget(o *op, a *vm.Allocation) {
	if c.deeds == nil {
		return
	}
	c.deeds.mu.Lock()
	defer c.deeds.mu.Unlock()
	delete(c.deeds.past, a)
	if o == nil {
		return
	}
	for a, past := range c.deeds.past {
		if past = slices.DeleteFunc(past, func(p *deed) bool { return p.o == o }); len(past) == 0 {
			delete(c.deeds.past, a)
		} else {
			c.deeds.past[a] = past
		}
	}
}

// collide finds bytes that two deeds access so that they race.
func collide(a, b []vm.Span) (x, y vm.Span, ok bool) {
	for len(a) > 0 && len(b) > 0 {
		from, to := max(a[0].From, b[0].From), min(a[0].To, b[0].To)
		if from < to && a[0].Touch.Conflicts(b[0].Touch) {
			return vm.Span{From: from, To: to, Touch: a[0].Touch}, vm.Span{From: from, To: to, Touch: b[0].Touch}, true
		}
		if a[0].To < b[0].To {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return x, y, false
}

func raceOf(a *vm.Allocation, p *deed, x vm.Span, d *deed, y vm.Span) error {
	f := &driver.Fault{Kind: driver.FaultRace, Kernel: d.kind, Launch: d.count, Bytes: y.To - y.From}
	f.Space, f.Address = "host", y.From
	if a != hostBytes {
		f.Space, f.Address = "global", a.Base+y.From
		f.Buffer, f.BufferSize, f.Offset = driver.DevicePtr(a.Base), a.Size, int64(y.From)
	}
	later, earlier := y.Toward(d.trails[a]), x.Toward(p.trails[a])
	if later != nil {
		f.Line, f.Instruction, f.Source = later.Line, later.Instruction, later.Source
		f.Code, f.Column, f.Element, f.Access = later.Code, later.Column, later.Element, later.Access()
	}
	if earlier != nil {
		f.Element = max(f.Element, earlier.Element)
		f.Other = &driver.Side{Access: earlier.Access(), Line: earlier.Line, Instruction: earlier.Instruction,
			Source: earlier.Source}
	}
	f.Detail = fmt.Sprintf("%s %s what %s %s%s, and nothing orders the two: %s",
		d, does(y.Touch), p, does(x.Touch), at(earlier), d.remedy(p))
	return &driver.Error{Call: "cuLaunchKernel", Code: f.Kind.Code(), Fault: f}
}

// at says where an instruction is.
func at(t *vm.Trail) string {
	switch {
	case t == nil:
		return ""
	case t.Source != "":
		return fmt.Sprintf(" at %s (%s)", t.Source, t.Instruction)
	}
	return fmt.Sprintf(" at PTX line %d (%s)", t.Line, t.Instruction)
}

// String says what was done where: "kernel saxpy, launch 3, on stream 2".
func (d *deed) String() string {
	if n := len(d.path); n > 0 {
		return fmt.Sprintf("%s node %d of a graph on %s", d.what, 1+d.path[n-1].node, d.o.stream)
	}
	return fmt.Sprintf("%s on %s", d.what, d.o.stream)
}

// remedy says how the two are ordered.
func (d *deed) remedy(earlier *deed) string {
	if d.o == earlier.o {
		return "let one node depend on the other"
	}
	return "let the later one's stream wait for an event behind the earlier one, or wait on the host"
}

const writes = vm.TouchWrite | vm.TouchStrongWrite

func does(t vm.Touch) string {
	if t&writes != 0 {
		return "writes"
	}
	return "reads"
}

func (s *stream) String() string {
	if s.isDefault {
		return "the default stream"
	}
	return fmt.Sprintf("stream %d", s.number)
}

// doing begins a deed; nil where nothing is followed.
func (c *context) doing(at place, what string) *deed {
	if !at.followed {
		return nil
	}
	return &deed{o: at.o, path: at.path, what: what, calls: c.calls(), spans: map[*vm.Allocation][]vm.Span{}}
}

// touches notes n bytes of device memory.
func (d *deed) touches(m *vm.Memory, addr driver.DevicePtr, n uint64, t vm.Touch) {
	if a, err := m.Find(uint64(addr), n); d != nil && err == nil && n > 0 {
		d.add(a, vm.Span{From: uint64(addr) - a.Base, To: uint64(addr) - a.Base + n, Touch: t})
	}
}

func (d *deed) touchesHost(p unsafe.Pointer, n uint64, t vm.Touch) {
	if d != nil && n > 0 {
		d.add(hostBytes, vm.Span{From: uint64(uintptr(p)), To: uint64(uintptr(p)) + n, Touch: t})
	}
}

// add notes a span; those of one allocation that overlap, a copy onto itself, count as written.
func (d *deed) add(a *vm.Allocation, s vm.Span) {
	spans := d.spans[a]
	if d.spans[a] = append(spans, s); len(spans) == 0 || spans[len(spans)-1].To <= s.From {
		return
	}
	spans = d.spans[a]
	slices.SortFunc(spans, func(x, y vm.Span) int {
		if x.From < y.From {
			return -1
		}
		return 1
	})
	d.spans[a] = spans
}
