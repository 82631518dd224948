package cuda

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

//go:embed graph_cond.ptx
var conditionPTX string

// While records a loop: body runs again and again for as long as the flag, the first 32-bit element
// of a buffer, is not 0 when a round begins. The device decides; the host is not asked. It needs a
// capture, and a driver of CUDA 12.3 or newer; body may record launches, fills, copies between
// buffers and further conditions.
func (s *Stream) While(flag *Buffer, body func(*Stream), name ...NameOption) error {
	return s.conditional("Stream.While", driver.ConditionalWhile, flag, name, body)
}

// If records a choice: then runs where the flag, the first 32-bit element of a buffer, is not 0
// when the graph comes to it, and otherwise, if it is not nil, where it is 0. The rest is as for
// While; otherwise needs CUDA 12.8.
func (s *Stream) If(flag *Buffer, then, otherwise func(*Stream), name ...NameOption) error {
	bodies := []func(*Stream){then}
	if otherwise != nil {
		bodies = append(bodies, otherwise)
	}
	return s.conditional("Stream.If", driver.ConditionalIf, flag, name, bodies...)
}

// A condition is a conditional node under construction.
type condition struct {
	handle driver.ConditionalHandle
	fn     driver.Function
	flag   *Buffer
	// before sets the handle's value, node looks at it.
	before, node driver.GraphNode
	bodies       []driver.Graph
}

func (s *Stream) conditional(op string, kind driver.ConditionalKind, flag *Buffer, name []NameOption,
	bodies ...func(*Stream)) error {
	if err := s.check(op); err != nil {
		return err
	}
	r := s.recording()
	if r == nil {
		return &Error{Op: op, Want: "a stream that captures", Got: "one that runs", Fix: "call it inside Device.Capture",
			code: driver.ErrorIllegalState}
	}
	named, err := nameOr(op, kind.String(), name)
	if err == nil {
		err = haveBodies(op, bodies)
	}
	if err == nil {
		err = s.recordConditional(op, r, kind, named, flag, bodies)
	}
	return r.fail(err)
}

// haveBodies refuses a condition without something to do.
func haveBodies[T any](op string, bodies []func(T)) error {
	for _, body := range bodies {
		if body == nil {
			return &Error{Op: op, Want: "a function that says what runs", Got: "nil"}
		}
	}
	return nil
}

func (s *Stream) recordConditional(op string, r *recording, kind driver.ConditionalKind, name string, flag *Buffer,
	bodies []func(*Stream)) error {
	if err := flag.isFlag(op, s.dev); err != nil {
		return err
	}
	n, c, err := s.addConditional(op, r, kind, name, flag, len(bodies))
	if err != nil {
		return err
	}
	for i, record := range bodies {
		if n.bodies[i], err = r.recordBody(op, c, i, record); err != nil {
			return err
		}
	}
	if kind == driver.ConditionalWhile {
		return r.again(op, c, n.bodies[0])
	}
	return nil
}

// addConditional adds the node, whose bodies are empty, behind what the stream recorded so far.
func (s *Stream) addConditional(op string, r *recording, kind driver.ConditionalKind, name string, flag *Buffer,
	bodies int) (*Node, *condition, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	info, err := s.s.CaptureInfo()
	if err != nil {
		return nil, nil, s.dev.late(op, "", err)
	}
	if info.Status != driver.CaptureActive {
		return nil, nil, &Error{Op: op, Want: "an active capture", Got: info.Status.String(),
			code: driver.ErrorStreamCaptureInvalidated}
	}
	c, err := r.addCondition(op, info.Graph, info.Dependencies, kind, flag, bodies)
	if err != nil {
		return nil, nil, err
	}
	if err := s.s.SetCaptureDependencies([]driver.GraphNode{c.node}); err != nil {
		return nil, nil, s.dev.late(op, "", err)
	}
	n := r.addConditionNodes(kind, name, c)
	r.add(n)
	return n, c, nil
}

// isFlag refuses what no condition can be read from.
func (b *Buffer) isFlag(op string, d *Device) error {
	if err := b.live(op, d); err != nil {
		return err
	}
	if k := b.elem.Kind(); k != reflect.Uint32 && k != reflect.Int32 {
		return &Error{Op: op, What: b.String(), Want: "a flag: a buffer of uint32 or int32", Got: "one of " + b.elem.String()}
	}
	return nil
}

// addCondition adds the kernel that reads the flag and the node that looks at what it set.
func (r *recording) addCondition(op string, g driver.Graph, after []driver.GraphNode, kind driver.ConditionalKind,
	flag *Buffer, bodies int) (*condition, error) {
	d := r.dev
	fn, err := d.conditionKernel(op)
	if err != nil {
		return nil, err
	}
	c := &condition{fn: fn, flag: flag}
	if c.handle, err = g.CreateConditionalHandle(0, false); err != nil {
		return nil, d.late(op, "conditional nodes need CUDA 12.3", err)
	}
	if c.before, err = g.AddKernel(after, c.reads(0, 0)); err != nil {
		return nil, d.late(op, "", err)
	}
	if c.node, c.bodies, err = g.AddConditional([]driver.GraphNode{c.before}, c.handle, kind, bodies); err != nil {
		return nil, d.late(op, "", err)
	}
	r.uses(flag)
	return c, nil
}

// reads is the launch that makes the flag the condition.
func (c *condition) reads(state driver.DevicePtr, most uint32) driver.KernelNodeParams {
	return conditionParams(c.fn, c.handle, c.flag.a.ptr, state, most)
}

func conditionParams(fn driver.Function, h driver.ConditionalHandle, flag, state driver.DevicePtr,
	most uint32) driver.KernelNodeParams {
	params := binary.LittleEndian.AppendUint64(nil, uint64(h))
	params = binary.LittleEndian.AppendUint64(params, uint64(flag))
	params = binary.LittleEndian.AppendUint64(params, uint64(state))
	params = binary.LittleEndian.AppendUint32(params, most)
	one := driver.Dim3{X: 1, Y: 1, Z: 1}
	return driver.KernelNodeParams{Function: fn, Grid: one, Block: one, Params: params}
}

// addConditionNodes notes the node that reads the flag, and gives the other, which has no name yet.
func (r *recording) addConditionNodes(kind driver.ConditionalKind, name string, c *condition) *Node {
	r.nodes = append(r.nodes, &Node{Name: r.unique(name + " flag"), Kind: driver.GraphNodeKernel, node: c.before,
		what: "reads " + c.flag.short()})
	return &Node{Name: name, Kind: driver.GraphNodeConditional, node: c.node, what: kind.String() + " " + c.flag.short() +
		" is not 0", bodies: make([]*graphBody, len(c.bodies))}
}

// A graphBody is a graph inside a conditional node.
type graphBody struct {
	title string
	graph driver.Graph
	nodes []*Node
	edges [][2]int
}

// recordBody captures one body. Its nodes are named with those outside, and its buffers held with
// theirs.
func (r *recording) recordBody(op string, c *condition, i int, record func(*Stream)) (*graphBody, error) {
	st, err := r.dev.NewStream()
	if err != nil {
		return nil, err
	}
	st.recorded = true
	inner := r.inBody("", st)
	if err := inner.intoBody(op, st, c.bodies[i], record); err != nil {
		return nil, err
	}
	return &graphBody{title: bodyTitle(len(c.bodies), i), graph: c.bodies[i], nodes: inner.nodes}, nil
}

// inBody is the recording of a body: it shares what the graph will hold, and the names.
func (r *recording) inBody(op string, origin *Stream) *recording {
	return &recording{op: op, dev: r.dev, origin: origin, inside: true, mu: r.mu, names: r.names, buffers: r.buffers,
		modules: r.modules}
}

func bodyTitle(bodies, i int) string {
	switch {
	case i > 0:
		return "else"
	case bodies > 1:
		return "then"
	}
	return "body"
}

// intoBody captures into a graph that exists.
func (r *recording) intoBody(op string, st *Stream, body driver.Graph, record func(*Stream)) (err error) {
	if err := st.s.BeginCaptureToGraph(body, nil, driver.CaptureThreadLocal); err != nil {
		return errors.Join(r.dev.late(op, "", err), st.giveBack(op))
	}
	st.aside.Store(&aside{record: r})
	defer func() { // also where record panics
		r.over()
		_, endErr := st.s.EndCapture()
		if r.err() != nil {
			endErr = errors.Join(r.err(), onlyUnexpected(endErr))
		} else if endErr != nil {
			endErr = r.dev.late(op, "ending the body", endErr)
		}
		err = errors.Join(endErr, r.closeStreams())
	}()
	record(st)
	return nil
}

// again makes the end of a round read the flag: behind everything in the body that nothing waits
// for.
func (r *recording) again(op string, c *condition, b *graphBody) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	leaves, err := leavesOf(b.graph)
	if err != nil {
		return wrap(op, "the end of the body", err)
	}
	id, err := b.graph.AddKernel(leaves, c.reads(0, 0))
	if err != nil {
		return wrap(op, "the end of the body", err)
	}
	b.nodes = append(b.nodes, &Node{Name: r.unique("again"), Kind: driver.GraphNodeKernel, node: id, what: "reads " +
		c.flag.short()})
	return nil
}

// leavesOf lists the nodes that nothing waits for.
func leavesOf(g driver.Graph) ([]driver.GraphNode, error) {
	nodes, err := g.Nodes()
	if err != nil {
		return nil, err
	}
	edges, err := g.Edges()
	if err != nil {
		return nil, err
	}
	waited := map[driver.GraphNode]bool{}
	for _, e := range edges {
		waited[e.From] = true
	}
	var leaves []driver.GraphNode
	for _, n := range nodes {
		if !waited[n] {
			leaves = append(leaves, n)
		}
	}
	return leaves, nil
}

// conditionKernel gives the kernel that sets conditions, loaded once a device. It is loaded on
// another goroutine: this one may hold its thread for a capture, in which loading is not allowed.
func (d *Device) conditionKernel(op string) (driver.Function, error) {
	type loaded struct {
		fn  driver.Function
		err error
	}
	c := make(chan loaded)
	go func() {
		fn, err := d.loadCondition(op)
		c <- loaded{fn, err}
	}()
	l := <-c
	return l.fn, l.err
}

func (d *Device) loadCondition(op string) (driver.Function, error) {
	d.conditionMu.Lock()
	defer d.conditionMu.Unlock()
	if d.condition != nil {
		return d.condition.fn, nil
	}
	m, err := d.Load("condition", []byte(conditionPTX), driver.JITOptions{})
	if err != nil {
		return nil, &Error{Op: op, What: "the kernel that reads flags", Want: "a driver of CUDA 12.3 or newer",
			Got: d.info.CUDA.String(), Err: err}
	}
	k, err := m.Kernel("vyre_condition")
	if err != nil {
		return nil, errors.Join(err, m.Close())
	}
	d.condition = k
	runtime.KeepAlive(m)
	return k.fn, nil
}

// short names a buffer in a node's text.
func (b *Buffer) short() string { return fmt.Sprintf("[%d]%s", b.n, b.elem) }
