package cuda

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A Graph is recorded work that is launched as a whole. Buffers that it uses cannot be freed before
// it is closed. Methods may be called from any goroutine; runs of one graph do not overlap.
type Graph struct {
	// What a launch needs is in the first 64 bytes, a line of the caches: the driver's own work
	// leaves little in them.
	mu     sync.Mutex
	dev    *Device
	name   string
	exec   driver.GraphExec // guarded by mu
	closed bool             // guarded by mu
	// launches counts runs; Graph.String tells it.
	launches uint64 // guarded by mu

	counted   uint64           // guarded by mu: those that the ledger has
	bytes     uint64           // guarded by mu: of parameters set, which the ledger does not have
	latestSet *Node            // guarded by mu: the kernel node whose parameter was set last
	scratch   []byte           // guarded by mu: a parameter block under construction
	held      []*allocation    // guarded by mu
	refs      []*Buffer        // guarded by mu: keeps buffers from being collected
	byName    map[string]*Node // those of nodes; does not change
	handle    *LiveHandle
	graph     driver.Graph  // guarded by mu
	nodes     []*Node       // guarded by mu
	edges     [][2]int      // guarded by mu
	times     *NodeTimes    // guarded by mu: the latest, for the picture
	keep      []any         // guarded by mu: host memory that copies use
	slices    map[*byte]any // guarded by mu: what SetWrite and SetRead pointed copies at
	modules   []*Module     // guarded by mu: cannot be unloaded
	_         [16]byte      // to a multiple of 64 bytes, so that what is made is at the beginning of a line
}

// A Node is one piece of a graph's work.
type Node struct {
	// Name is the kernel's, "fill", "copy", "read" or "write", or what Named gave it; a second node
	// of a name is "name#2".
	Name string
	Kind GraphNodeType
	node driver.GraphNode
	// launch is what a kernel node launches, nil for others.
	launch  *prepared
	buffers []*Buffer
	what    string       // where neither launch nor buffers say it
	bodies  []*graphBody // of a conditional node
	host    []byte       // of a copy between host and device
	write   bool         // host is copied to the device
	fill    *byte        // the value of a fill
	off     atomic.Bool  // Enable switched it off
	keep    any          // what host is the memory of
}

// String says what the node does: "saxpy<4096, 256>".
func (n *Node) String() string {
	if n == nil {
		return "no node"
	}
	if n.launch != nil {
		return n.launch.label
	}
	if n.what != "" {
		return n.what
	}
	parts := make([]string, len(n.buffers))
	for i, b := range n.buffers {
		parts[i] = b.short()
	}
	return strings.TrimSpace(n.Kind.String() + " " + strings.Join(parts, " from "))
}

var graphSerial atomic.Uint64

// instantiate makes a graph runnable, also within the function that a capture records: libcuda does
// not do that on the capture's thread.
func instantiate(g driver.Graph) (exec driver.GraphExec, err error) {
	err = elsewhere(func() error {
		exec, err = g.Instantiate()
		return err
	})
	return exec, err
}

// destroy gives a runnable graph back, also within the function that a capture records.
func destroy(exec driver.GraphExec) error { return elsewhere(exec.Destroy) }

// newGraph takes the recording over, makes it runnable and holds its buffers.
func newGraph(op, name string, r *recording, g driver.Graph) (*Graph, error) {
	if name == "" {
		name = fmt.Sprint("graph ", graphSerial.Add(1))
	}
	graph := &Graph{dev: r.dev, graph: g, nodes: r.nodes, keep: r.keep, name: name}
	var err error
	if graph.exec, err = instantiate(g); err != nil {
		return nil, r.dev.late(op, "instantiating", errors.Join(err, g.Destroy()))
	}
	graph.handle = track("graph", graph.name)
	err = graph.holdBuffers(op, r)
	if err == nil {
		err = graph.readEdges(op)
	}
	if err == nil && !r.dev.own(graph) {
		err = r.dev.checkOpen(op) // the device was closed meanwhile
	}
	if err != nil {
		return nil, errors.Join(err, graph.closeWithDevice())
	}
	return graph, nil
}

func (g *Graph) holdBuffers(op string, r *recording) error {
	for a, b := range r.buffers {
		if err := a.hold(op, g.name); err != nil {
			return err
		}
		g.held = append(g.held, a)
		g.refs = append(g.refs, b)
	}
	return g.holdModules(op, r)
}

// holdModules keeps the modules of kernels from being unloaded.
func (g *Graph) holdModules(op string, r *recording) error {
	for m := range r.modules {
		if slices.Contains(g.modules, m) {
			continue
		}
		if err := m.hold(op, g.name); err != nil {
			return err
		}
		g.modules = append(g.modules, m)
	}
	return nil
}

// readEdges lists the edges by the nodes' places, and nodes that no call of this package made.
func (g *Graph) readEdges(op string) (err error) {
	if g.nodes, g.edges, err = shape(op, g.graph, g.nodes); err != nil {
		return err
	}
	g.byName = make(map[string]*Node, len(g.nodes))
	for _, n := range g.nodes {
		g.byName[n.Name] = n
		if err := n.readBodies(op); err != nil {
			return err
		}
	}
	return nil
}

// readBodies lists the edges inside a conditional node, however deep.
func (n *Node) readBodies(op string) (err error) {
	for _, b := range n.bodies {
		if b.nodes, b.edges, err = shape(op, b.graph, b.nodes); err != nil {
			return err
		}
		for _, inner := range b.nodes {
			if err := inner.readBodies(op); err != nil {
				return err
			}
		}
	}
	return nil
}

// shape adds the nodes that are not known to those that are, and gives the edges by the nodes'
// places.
func shape(op string, g driver.Graph, nodes []*Node) ([]*Node, [][2]int, error) {
	place := map[driver.GraphNode]int{}
	for i, n := range nodes {
		place[n.node] = i
	}
	all, err := g.Nodes()
	if err != nil {
		return nodes, nil, wrap(op, "listing the nodes", err)
	}
	for _, n := range all {
		if _, known := place[n]; known {
			continue
		}
		kind, err := g.NodeType(n)
		if err != nil {
			return nodes, nil, wrap(op, "a node's type", err)
		}
		place[n] = len(nodes)
		nodes = append(nodes, &Node{Name: kind.String(), Kind: kind, node: n})
	}
	list, err := g.Edges()
	if err != nil {
		return nodes, nil, wrap(op, "listing the edges", err)
	}
	edges := make([][2]int, len(list))
	for i, e := range list {
		edges[i] = [2]int{place[e.From], place[e.To]}
	}
	return nodes, edges, nil
}

// check refuses a nil, a zero and a closed graph.
func (g *Graph) check(op string) error {
	if g == nil || g.dev == nil {
		return missing(op, "a graph", "Device.Capture")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return g.isClosed(op)
	}
	return nil
}

// isClosed says what became of the graph.
func (g *Graph) isClosed(op string) error {
	e := &Error{Op: op, What: g.name, Got: "the graph is closed", Fix: "capture it again", code: driver.ErrorInvalidHandle}
	if state := g.dev.state(); state != "" {
		e.Got = "the graph went with its device, which was " + state
	}
	return e
}

// use gives the executable graph to a call, and keeps Close away while it runs.
func (g *Graph) use(op string, call func(driver.GraphExec) error) error {
	if err := g.check(op); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return g.isClosed(op)
	}
	return call(g.exec)
}

// count hands the ledger the launches that it does not have yet.
func (g *Graph) count() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.countLocked()
}

func (g *Graph) countLocked() {
	g.dev.ledger.count(load{graphs: g.launches - g.counted, bytes: g.bytes})
	g.counted, g.bytes = g.launches, 0
}

// Launch enqueues one run on the device's own stream.
func (g *Graph) Launch() error {
	if g == nil || g.dev == nil {
		return g.check("Graph.Launch")
	}
	return g.LaunchOn(g.dev.stream)
}

// LaunchOn enqueues one run on a stream, which does not record: a builder takes graphs as nodes
// (GraphBuilder.Graph). It allocates nothing.
func (g *Graph) LaunchOn(s *Stream) error {
	const op = "Graph.Launch"
	if err := g.mayLaunch(op, s); err != nil {
		return err
	}
	if err := s.room(op); err != nil {
		return err
	}
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return g.isClosed(op)
	}
	var err error
	if profiler.Load() == nil {
		err = g.exec.Launch(s.s)
	} else {
		err = g.launchInRange(s)
	}
	if err == nil {
		g.launches++
		if d := g.dev; d.ledger.latest.Load() != &g.name {
			d.ledger.launchedGraph(&g.name)
		}
	}
	g.mu.Unlock()
	if err != nil {
		return g.dev.late(op, g.name, err)
	}
	return nil
}

// mayLaunch refuses what is no graph, and a stream that cannot run it.
func (g *Graph) mayLaunch(op string, s *Stream) error {
	if g == nil || g.dev == nil {
		return g.check(op)
	}
	if s != nil && s.dev == g.dev && s.aside.Load() == nil {
		return nil
	}
	if err := s.checkOf(op, g.dev); err != nil {
		return err
	}
	return s.runs(op, "GraphBuilder.Graph makes a graph part of another")
}

// launchInRange tells a profiler of the launch; the caller holds mu.
func (g *Graph) launchInRange(s *Stream) error {
	r := startRange(g.name)
	defer r.end()
	return g.exec.Launch(s.s)
}

// Time launches the graph n times and measures each run on the device. One run before them, which
// is not counted, uploads the graph.
func (g *Graph) Time(n int) (*TimingReport, error) {
	const op = "Graph.Time"
	if err := g.check(op); err != nil {
		return nil, err
	}
	return g.dev.repeat(op, g.name, n, g.dev.stream.s, g.Launch)
}

// Node finds a node by its name.
func (g *Graph) Node(name string) (*Node, error) { return g.find("Graph.Node", name) }

func (g *Graph) find(op, name string) (*Node, error) {
	if g == nil || g.dev == nil {
		return nil, g.check(op)
	}
	if n := g.byName[name]; n != nil {
		return n, nil
	}
	var names []string
	for _, n := range g.nodes {
		names = append(names, n.Name)
		if n.contains(name) {
			return nil, &Error{Op: op, What: g.name, Want: "a node outside of bodies",
				Got: name + ", which is inside " + n.Name,
				Fix: "parameters inside a body are fixed: let its kernels read them from a buffer", code: driver.ErrorNotSupported}
		}
	}
	return nil, &Error{Op: op, What: g.name, Want: "one of " + strings.Join(names, ", "), Got: name,
		code: driver.ErrorNotFound}
}

// contains says whether a node of that name is in a body of this one.
func (n *Node) contains(name string) bool {
	for _, b := range n.bodies {
		for _, inner := range b.nodes {
			if inner.Name == name || inner.contains(name) {
				return true
			}
		}
	}
	return false
}

// Nodes are the nodes in the order in which they were recorded.
func (g *Graph) Nodes() []*Node {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]*Node(nil), g.nodes...)
}

// Edges are pairs of places in Nodes: the second waits for the first.
func (g *Graph) Edges() [][2]int {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([][2]int(nil), g.edges...)
}

// Name is what Named gave the graph, else "graph 3".
func (g *Graph) Name() string {
	if g == nil {
		return ""
	}
	return g.name
}

// Close gives the graph back once its runs are done, and lets go of its buffers.
func (g *Graph) Close() error {
	const op = "Graph.Close"
	if err := g.check(op); err != nil {
		return err
	}
	if !g.dev.disown(g) {
		return g.check(op) // another goroutine was here
	}
	defer g.dev.gone()
	return wrap(op, g.name, g.closeWithDevice())
}

func (g *Graph) closeWithDevice() error {
	exec, graph := g.exec, g.graph
	g.lost()
	return errors.Join(destroy(exec), graph.Destroy())
}

func (g *Graph) lost() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	g.countLocked()
	for _, a := range g.held {
		a.release(g.name)
	}
	for _, m := range g.modules {
		m.release(g.name)
	}
	g.held, g.refs, g.keep, g.slices, g.modules = nil, nil, nil, nil, nil
	g.handle.forget()
}

func (g *Graph) String() string {
	if g == nil || g.dev == nil {
		return "no graph"
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return fmt.Sprintf("%s on %s: %s, launched %s", g.name, g.dev, plural(len(g.nodes), "node"),
		plural(int(g.launches), "time"))
}
