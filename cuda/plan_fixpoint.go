package cuda

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// checkFixpoint refuses what cannot be a fixpoint, and finds the flag's binding.
func (p *Plan) checkFixpoint(op string, o settings) error {
	if o.flag == "" {
		return nil
	}
	what := p.prepared.kernel.String() + ", Fixpoint(" + o.flag + ")"
	switch {
	case o.iterations != 0:
		return &Error{Op: op, What: what, Want: "either Iterations or Fixpoint", Got: "both"}
	case o.cooperative:
		return notCooperative(op, what)
	case o.cluster != (driver.Dim3{}):
		return notClustered(op, what)
	}
	for i, b := range p.bindings {
		if b.Name != o.flag {
			continue
		}
		if b.Role == RoleInput || b.Role == RoleUniform {
			return &Error{Op: op, What: what, Want: "a flag that the kernel writes", Got: "a binding that it only reads: " +
				b.Role.String()}
		}
		p.bindings[i].MinBytes = max(b.MinBytes, 4)
		p.flag, p.most = i, uint32(o.most)
		return nil
	}
	return &Error{Op: op, What: what, Want: "the name of a binding", Got: o.flag}
}

func notCooperative(op, what string) error {
	return &Error{Op: op, What: what, Want: "a launch that is not cooperative", Got: "Cooperative",
		Fix: "a cooperative kernel can loop by itself"}
}

// notClustered refuses what the node of a graph that this package builds does not say.
func notClustered(op, what string) error {
	return &Error{Op: op, What: what, Want: "a launch without Cluster", Got: "Cluster",
		Fix: "compile the kernel for clusters of one size (__cluster_dims__)", code: driver.ErrorNotSupported}
}

// A loop is a fixpoint on its way: a graph of one WHILE node, and two words on the device that say
// how far it came.
type loop struct {
	graph driver.Graph
	exec  driver.GraphExec
	state driver.DevicePtr
	back  *hostBlock
	// launches, slots and elements are those of one round.
	launches, slots, elements uint64
}

// fixpoint enqueues a loop over steps, and the copy of its two words. It ends when a round leaves
// the flag at 0, or after most.
func (q *Pending) fixpoint(op string, steps []PlanStep, blocks [][]byte, flag *Buffer, most uint32) error {
	d, s := q.dev, q.stream.s
	fn, err := d.conditionKernel(op)
	if err != nil {
		return err
	}
	l := &loop{}
	q.loops = append(q.loops, l) // settle gives back what it has
	if l.state, err = d.leaseWord(op); err != nil {
		return err
	}
	if l.back, err = d.hostPool.lease(d, op, 8); err != nil {
		return err
	}
	what := steps[0].Plan.prepared.label
	if len(steps) > 1 {
		what = fmt.Sprintf("%s and %d more", what, len(steps)-1)
	}
	if err := l.build(d, fn, steps, blocks, flag, most); err != nil {
		return d.late(op, what+" as a fixpoint", err)
	}
	if err := l.exec.Launch(s); err != nil {
		return d.late(op, what, err)
	}
	d.ledger.launchedGraph(&what)
	d.ledger.count(load{graphs: 1})
	if err := d.ctx.CopyDtoHAsync(l.back.mem.Bytes()[:8], l.state, s); err != nil {
		return d.late(op, "", err)
	}
	return nil
}

// build makes the graph: clear the state, and then, while the flag says so, clear the flag, do the
// steps, look at the flag.
func (l *loop) build(d *Device, fn driver.Function, steps []PlanStep, blocks [][]byte, flag *Buffer,
	most uint32) (err error) {
	if l.graph, err = d.ctx.CreateGraph(); err != nil {
		return err
	}
	handle, err := l.graph.CreateConditionalHandle(1, true)
	if err != nil {
		return err
	}
	clear, err := l.graph.AddMemset(nil, zeros(l.state, 8))
	if err != nil {
		return err
	}
	_, bodies, err := l.graph.AddConditional([]driver.GraphNode{clear}, handle, driver.ConditionalWhile, 1)
	if err != nil {
		return err
	}
	last, err := bodies[0].AddMemset(nil, zeros(flag.a.ptr, 4))
	if err != nil {
		return err
	}
	for i, s := range steps {
		if last, err = l.add(bodies[0], last, s, blocks[i]); err != nil {
			return err
		}
		d.ledger.count(load{bytes: uint64(len(blocks[i]))})
	}
	if _, err = bodies[0].AddKernel([]driver.GraphNode{last},
		conditionParams(fn, handle, flag.a.ptr, l.state, most)); err != nil {
		return err
	}
	l.exec, err = instantiate(l.graph)
	return err
}

// add puts a step into the body, behind a node, and gives the step's last node.
func (l *loop) add(body driver.Graph, last driver.GraphNode, s PlanStep, block []byte) (_ driver.GraphNode, err error) {
	p := s.Plan
	params := p.prepared.nodeParams()
	params.Params = block
	for range p.iterations {
		if last, err = body.AddKernel([]driver.GraphNode{last}, params); err != nil {
			return 0, err
		}
		l.launches++
		l.slots = sum(l.slots, p.prepared.slots)
		l.elements = sum(l.elements, p.prepared.elements)
	}
	return last, nil
}

func zeros(p driver.DevicePtr, n uint64) driver.MemsetNodeParams {
	return driver.MemsetNodeParams{Dst: p, ElementSize: 1, Width: n, Height: 1}
}

// collect reads how far the loop came.
func (l *loop) collect() (rounds int, converged bool) {
	raw := l.back.mem.Bytes()
	return int(binary.LittleEndian.Uint32(raw)), binary.LittleEndian.Uint32(raw[4:]) == 0
}

// release gives back what the loop has; its work is over.
func (l *loop) release(d *Device) error {
	var errs []error
	if l.exec != nil {
		errs = append(errs, l.exec.Destroy())
	}
	if l.graph != nil {
		errs = append(errs, l.graph.Destroy())
	}
	if l.back != nil {
		d.hostPool.giveBack(l.back)
	}
	if l.state != 0 {
		d.returnWord(l.state)
	}
	return wrap("Pending.Wait", "the graph of a fixpoint", errors.Join(errs...))
}

// Rounds is how many rounds the fixpoints of the dispatch took, after Wait: launches, for the
// fixpoint of a plan. converged says that each of them ended because its flag was 0, and not
// because it may do no more.
func (q *Pending) Rounds() (rounds int, converged bool) {
	if q.none() {
		return 0, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.rounds, q.done && q.err == nil && !q.stopped
}

// wordBytes is what a leased word takes: an allocation is not smaller.
const wordBytes = 256

// leaseWord takes a little device memory from a list, or makes some: freeing memory waits for the
// device, so it is kept.
func (d *Device) leaseWord(op string) (driver.DevicePtr, error) {
	d.mu.Lock()
	if n := len(d.words); n > 0 {
		p := d.words[n-1]
		d.words = d.words[:n-1]
		d.mu.Unlock()
		return p, nil
	}
	d.mu.Unlock()
	p, err := d.ctx.Alloc(wordBytes)
	if err != nil {
		return 0, d.late(op, "", err)
	}
	d.counters.allocations.add(1)
	return p, nil
}

func (d *Device) returnWord(p driver.DevicePtr) {
	d.mu.Lock()
	keep := !d.closed
	if keep {
		d.words = append(d.words, p)
	}
	d.mu.Unlock()
	if !keep {
		_ = d.ctx.Free(p) // with the device gone, so is the memory
	}
}

func (d *Device) dropWords() error {
	d.mu.Lock()
	words := d.words
	d.words = nil
	d.mu.Unlock()
	var errs []error
	for _, p := range words {
		errs = append(errs, d.ctx.Free(p))
	}
	return errors.Join(errs...)
}
