package cuda

import (
	"context"
	"fmt"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Role says what a dispatch does with a buffer.
type Role uint8

const (
	// RoleInput is read.
	RoleInput Role = iota
	// RoleOutput is written; it is set to zeros before the launches.
	RoleOutput
	// RoleInOut is read and written.
	RoleInOut
	// RoleUniform is read, the same for all threads.
	RoleUniform
	// RolePersistent is read and written and keeps its contents between dispatches.
	RolePersistent
)

var roleNames = [...]string{"input", "output", "input-output", "uniform", "persistent"}

func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return fmt.Sprint("role ", uint8(r))
}

// A Binding is a place for a buffer in a plan. It stands where the kernel's pointer parameter is.
type Binding struct {
	Name string
	Role Role
	// MinBytes is the least a buffer must have; 0 means any.
	MinBytes uint64
}

// Input, Output, InOut, Uniform and Persistent are bindings of those roles.
func Input(name string) Binding      { return Binding{Name: name, Role: RoleInput} }
func Output(name string) Binding     { return Binding{Name: name, Role: RoleOutput} }
func InOut(name string) Binding      { return Binding{Name: name, Role: RoleInOut} }
func Uniform(name string) Binding    { return Binding{Name: name, Role: RoleUniform} }
func Persistent(name string) Binding { return Binding{Name: name, Role: RolePersistent} }

// String is "input x".
func (b Binding) String() string { return b.Role.String() + " " + b.Name }

// AtLeast demands a size of buffers bound here.
func (b Binding) AtLeast(bytes uint64) Binding {
	b.MinBytes = bytes
	return b
}

// A Plan is a launch that was checked once: what Launch then costs is little more than the driver's
// call, and no allocation. Buffers stand in it, or Bindings, places for buffers that each call
// fills. Launch enqueues it; Submit enqueues it with what is read back, as one Pending; Run waits.
// Device.Plan makes a plan of several. It may be used any number of times, from any goroutine.
type Plan struct {
	prepared   *prepared // nil in a plan of several
	stream     *Stream
	simple     bool // nothing but one launch
	bindings   []Binding
	params     []int // the kernel's parameter of each binding
	config     driver.LaunchConfig
	iterations int
	timed      bool
	flag       int    // the binding of a fixpoint's flag
	most       uint32 // launches of a fixpoint; 0: it is none
	several    *several
}

// Plan checks a launch once, so that it can be enqueued often: arguments are as for Device.Launch,
// and a Binding may stand where a buffer would; PlanOptions may stand among them.
func (k *Kernel) Plan(grid GridDim, block BlockDim, args ...any) (*Plan, error) {
	const op = "Kernel.Plan"
	if err := k.check(op); err != nil {
		return nil, err
	}
	o, values, err := split(op, byPlan, args)
	if err != nil {
		return nil, err
	}
	p := &Plan{iterations: max(o.iterations, 1), timed: o.timed}
	for i, v := range values {
		b, ok := v.(Binding)
		if !ok {
			continue
		}
		if i < len(k.params) && (k.params[i].Size != 8 || k.params[i].Array || floating(k.params[i].Type)) {
			return nil, k.argError(op, i, wants(k.params[i]), b.Role.String()+" buffer "+b.Name)
		}
		p.bindings = append(p.bindings, b)
		p.params = append(p.params, i)
		values[i] = uint64(0) // a place for the address
	}
	if p.prepared, err = k.prepareWith(op, o, grid, block, values); err != nil {
		return nil, err
	}
	if err := p.checkFixpoint(op, o); err != nil {
		return nil, err
	}
	p.stream, p.config = p.prepared.stream, p.prepared.config
	p.simple = len(p.bindings) == 0 && p.iterations == 1 && !p.timed && p.most == 0
	return p, nil
}

// noPlans is what to do instead of recording a plan, whose copies and events are for one run.
const noPlans = "record its launches: Stream.Launch, and Stream.Fill and Read around them"

// check refuses a plan that is none, and one whose stream does not run.
func (p *Plan) check(op string) error {
	switch {
	case p.none():
		return missing(op, "a plan", "Kernel.Plan")
	case p.several != nil:
		return p.several.check(op)
	}
	if err := p.prepared.kernel.check(op); err != nil {
		return err
	}
	return p.stream.runs(op, noPlans)
}

func (p *Plan) none() bool { return p == nil || p.prepared == nil && p.several == nil }

func (p *Plan) device() *Device { return p.stream.dev }

// label is what the plan is called in errors and reports.
func (p *Plan) label() string {
	if p.several != nil {
		return p.several.label()
	}
	return p.prepared.label
}

// bind checks the buffers and writes their addresses into a parameter block, which lies in room
// where it fits.
func (p *Plan) bind(op string, room []byte, buffers []*Buffer) ([]byte, error) {
	k := p.prepared.kernel
	if len(buffers) != len(p.bindings) {
		return nil, &Error{Op: op, What: k.String(), Want: plural(len(p.bindings), "buffer"), Got: fmt.Sprint(len(buffers))}
	}
	block := append(room, p.prepared.params...)
	for i, b := range buffers {
		if _, err := k.put(op, block, p.params[i], b); err != nil {
			return nil, within(op, fmt.Sprintf("binding %d (%s)", i, p.bindings[i].Name), err)
		}
		if least := p.bindings[i].MinBytes; b.a.bytes < least {
			return nil, &Error{Op: op, What: fmt.Sprintf("binding %d (%s)", i, p.bindings[i].Name),
				Want: fmt.Sprintf("at least %d bytes", least), Got: fmt.Sprintf("a buffer of %d", b.a.bytes)}
		}
		if p.bindings[i].Role == RoleOutput {
			if err := p.alone(op, i, buffers); err != nil {
				return nil, err
			}
		}
	}
	return block, nil
}

// alone refuses memory that is an output, and so set to zeros before the launches, and read as
// well.
func (p *Plan) alone(op string, output int, buffers []*Buffer) error {
	twice := func(as string) error {
		return &Error{Op: op, What: p.prepared.kernel.String(),
			Want: "buffers of their own for outputs, which are set to zeros before the launches",
			Got:  fmt.Sprintf("%s for %s, which is %s, too", buffers[output], p.bindings[output].Name, as),
			Fix:  "bind it once, as InOut, or upload a copy"}
	}
	for i, b := range buffers {
		if p.bindings[i].Role != RoleOutput && b != nil && b.a == buffers[output].a {
			return twice(p.bindings[i].String())
		}
	}
	for _, b := range p.prepared.buffers {
		if b.a == buffers[output].a {
			return twice("an argument of the plan")
		}
	}
	return nil
}

// Launch enqueues the plan on its stream and does not wait: outputs are set to zeros, the kernel is
// launched. It takes a buffer for each binding. Where the stream records a graph, what is enqueued
// becomes nodes of it.
func (p *Plan) Launch(buffers ...*Buffer) error {
	const op = "Plan.Launch"
	if p.none() {
		return missing(op, "a plan", "Kernel.Plan")
	}
	return p.launchOn(op, p.stream, buffers)
}

// LaunchOn is Launch on another stream.
func (p *Plan) LaunchOn(s *Stream, buffers ...*Buffer) error {
	const op = "Plan.LaunchOn"
	if err := s.check(op); err != nil {
		return err
	}
	if p.none() {
		return s.recording().fail(missing(op, "a plan", "Kernel.Plan"))
	}
	if own := p.device(); own != s.dev {
		return s.recording().fail(&Error{Op: op, What: p.label(), Want: "a plan of " + s.dev.String(),
			Got: "one of " + s.dev.apart(own), code: driver.ErrorInvalidHandle})
	}
	return p.launchOn(op, s, buffers)
}

// launchOn enqueues the plan. One launch without bindings takes the short way: it costs what it is.
func (p *Plan) launchOn(op string, s *Stream, buffers []*Buffer) error {
	if p.simple && len(buffers) == 0 {
		return s.enqueue(op, p.prepared)
	}
	return s.recording().fail(p.launchMore(op, s, buffers))
}

func (p *Plan) launchMore(op string, s *Stream, buffers []*Buffer) error {
	if p.several != nil {
		return p.several.launch(op, s, buffers)
	}
	if p.timed || p.most > 0 {
		return &Error{Op: op, What: p.String(), Want: "a plan without Timed and Fixpoint, of which Wait tells",
			Got: "one with it", Fix: "Plan.Submit", code: driver.ErrorNotSupported}
	}
	block, err := p.bind(op, nil, buffers)
	if err != nil {
		return err
	}
	one := p.prepared.clone()
	one.params, one.buffers = block, append(one.buffers, buffers...)
	for i, b := range buffers {
		one.args[p.params[i]] = b
		if p.bindings[i].Role == RoleOutput {
			if err := s.fill(op, b, 0, nil); err != nil {
				return err
			}
		}
	}
	for range p.iterations {
		if err := s.enqueue(op, one); err != nil {
			return err
		}
	}
	return nil
}

// Close gives back what a plan of several keeps, the graph of its launches; a plan of one launch
// keeps nothing.
func (p *Plan) Close() error {
	const op = "Plan.Close"
	if p.none() {
		return missing(op, "a plan", "Kernel.Plan")
	}
	if p.several == nil {
		return nil
	}
	return p.several.close(op)
}

// Submit enqueues one dispatch and returns: outputs are cleared, the kernel is launched as often as
// the plan says, and the ranges asked for are read back, all in the order of the plan's stream. The
// buffers are marked, so that freeing or writing one is refused until Wait.
func (p *Plan) Submit(buffers []*Buffer, read ...BufferRange) (*Pending, error) {
	const op = "Plan.Submit"
	if err := p.check(op); err != nil {
		return nil, err
	}
	if p.several != nil {
		return p.several.submit(op, buffers, read)
	}
	d := p.device()
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	r := startRange(p.prepared.label)
	defer r.end()
	q := &Pending{dev: d, stream: p.stream, ranges: read}
	block, err := p.bind(op, q.room[:0], buffers)
	if err != nil {
		return nil, err
	}
	for _, r := range read {
		if err := r.check(op, d); err != nil {
			return nil, err
		}
	}
	if err := p.stream.room(op); err != nil {
		return nil, err
	}
	if err := q.mark(op, read, buffers, p.prepared.buffers); err != nil {
		return nil, err
	}
	if err := q.enqueue(op, p, block, buffers, read); err != nil {
		return nil, q.abandon(err)
	}
	d.watch(q)
	return q, nil
}

// Run submits and waits.
func (p *Plan) Run(buffers []*Buffer, read ...BufferRange) ([][]byte, error) {
	q, err := p.Submit(buffers, read...)
	if err != nil {
		return nil, err
	}
	return q.Wait()
}

// RunContext is Run that gives up waiting when ctx ends: what was submitted goes on.
func (p *Plan) RunContext(ctx context.Context, buffers []*Buffer, read ...BufferRange) ([][]byte, error) {
	q, err := p.Submit(buffers, read...)
	if err != nil {
		return nil, err
	}
	return q.WaitContext(ctx)
}

// enqueue puts the whole dispatch on the stream.
func (q *Pending) enqueue(op string, p *Plan, block []byte, buffers []*Buffer, read []BufferRange) error {
	if err := q.waitForOthers(op); err != nil {
		return err
	}
	if err := q.clear(op, p, buffers); err != nil {
		return err
	}
	if err := q.mayTime(op, p.timed); err != nil {
		return err
	}
	if err := q.launch(op, p, block, buffers); err != nil {
		return err
	}
	return q.conclude(op, p.timed, read)
}

// clear sets outputs to zeros.
func (q *Pending) clear(op string, p *Plan, buffers []*Buffer) error {
	for i, b := range buffers {
		if p.bindings[i].Role != RoleOutput {
			continue
		}
		if err := q.dev.ctx.MemsetD8Async(b.a.ptr, 0, b.a.bytes, q.stream.s); err != nil {
			return q.dev.late(op, "clearing "+p.bindings[i].Name, err)
		}
	}
	return nil
}

// mayTime records the start of a timed dispatch.
func (q *Pending) mayTime(op string, timed bool) (err error) {
	if !timed {
		return nil
	}
	if q.timing, err = q.dev.leaseEvents(op, 2); err != nil {
		return err
	}
	if err := q.timing[0].Record(q.stream.s); err != nil {
		return q.dev.late(op, "", err)
	}
	return nil
}

// conclude enqueues what is behind the launches: the end of the time, the copies to the host, the
// fence behind everything.
func (q *Pending) conclude(op string, timed bool, read []BufferRange) (err error) {
	d, s := q.dev, q.stream.s
	if timed { // the end of the launches lies before the copies
		if err := q.timing[1].Record(s); err != nil {
			return d.late(op, "", err)
		}
	}
	if len(read) > 0 {
		if q.read, err = d.startRead(op, s, read); err != nil {
			return err
		}
	}
	if q.end, err = d.leaseFence(op); err != nil {
		return err
	}
	if err := q.end.Record(s); err != nil {
		return d.late(op, "", err)
	}
	return nil
}

// launch enqueues the iterations, or the loop of a fixpoint.
func (q *Pending) launch(op string, p *Plan, block []byte, buffers []*Buffer) error {
	if p.most > 0 {
		return q.fixpoint(op, []PlanStep{{p, buffers}}, [][]byte{block}, buffers[p.flag], p.most)
	}
	d, bytes := q.dev, uint64(len(block))
	for i := range p.iterations {
		if i > 0 { // the first has the dispatch's own
			if err := p.stream.room(op); err != nil {
				return err
			}
		}
		if err := p.prepared.kernel.fn.Launch(&p.config, block); err != nil {
			return d.late(op, p.prepared.label, err)
		}
		d.ledger.launched(p.prepared.label, load{launches: 1, slots: p.prepared.slots, elements: p.prepared.elements,
			bytes: bytes})
		bytes = 0 // all iterations have the same block
	}
	return nil
}

// String is the plan's shape.
func (p *Plan) String() string {
	switch {
	case p.none():
		return "no plan"
	case p.several != nil:
		return fmt.Sprintf("%s on %s", p.label(), p.device())
	}
	if len(p.bindings) == 0 {
		return p.prepared.String()
	}
	text := p.prepared.label
	for _, b := range p.bindings {
		text += fmt.Sprintf(" %s:%s", b.Name, b.Role)
	}
	return text
}

// Table is the plan's card: geometry and bindings.
func (p *Plan) Table() display.Table {
	switch {
	case p.none():
		return *display.Card("No plan")
	case p.several != nil:
		return p.several.table()
	}
	k := p.prepared.kernel
	t := display.NewTable("Plan of "+p.prepared.label, display.Column{Title: "parameter", Kind: display.Label},
		display.Column{Title: "type", Kind: display.Code},
		display.Column{Title: "bound to"}, display.Column{Title: "role"},
		display.Column{Title: "at least", Unit: "bytes", Kind: display.Number})
	bound := map[int]Binding{}
	for i, b := range p.bindings {
		bound[p.params[i]] = b
	}
	for i, param := range k.params {
		kind := strings.TrimSuffix(param.String(), " "+param.Name)
		if b, ok := bound[i]; ok {
			var least any
			if b.MinBytes > 0 {
				least = b.MinBytes
			}
			t.Add(param.Name, kind, b.Name, b.Role.String(), least)
			continue
		}
		t.Add(param.Name, kind, fmt.Sprint(p.prepared.args[i]), "value", nil)
	}
	switch {
	case p.most > 0:
		t.Note(fmt.Sprintf("Launched until %s is 0, at most %s.", p.bindings[p.flag].Name, plural(int(p.most), "time")))
	case p.iterations > 1:
		t.Note(fmt.Sprintf("Launched %s a dispatch.", plural(p.iterations, "time")))
	}
	return *t
}
