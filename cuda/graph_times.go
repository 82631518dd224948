package cuda

import (
	"errors"
	"fmt"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// NodeTimes are the device times of a graph's nodes, measured one by one.
type NodeTimes struct {
	Graph string
	// Nodes are in the order of Graph.Nodes.
	Nodes []NodeTime
	// Whole is the times of whole runs, with the events that measure in them.
	Whole TimingReport
}

// A NodeTime is the times of one node, one a round. The node of a condition is measured with what
// runs inside of it.
type NodeTime struct {
	TimingReport
	Kind GraphNodeType
}

// Median is the middle of the times.
func (t NodeTime) Median() time.Duration { return t.Percentile(50) }

// TimeNodes runs the graph n times and measures each node on the device: an event before it and one
// behind it, in a copy of the graph. One run before them, which is not counted, uploads the copy.
// The picture of the graph shows the medians from then on. Events cost about a microsecond each on
// a GPU, so times of short nodes are upper bounds, and Whole is more than Replay measures.
func (g *Graph) TimeNodes(n int) (*NodeTimes, error) {
	const op = "Graph.TimeNodes"
	if err := g.check(op); err != nil {
		return nil, err
	}
	if n < 1 || n > maxRounds {
		return nil, &Error{Op: op, What: g.name, Want: fmt.Sprintf("1 to %d rounds", maxRounds), Got: fmt.Sprint(n)}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return nil, g.isClosed(op)
	}
	events, err := g.dev.leaseEvents(op, 2*len(g.nodes)+2)
	if err != nil {
		return nil, err
	}
	defer g.dev.returnEvents(events)
	exec, err := g.measuring(op, events[2:])
	if err != nil {
		return nil, err
	}
	t, err := g.measure(op, n, exec, events)
	if err = errors.Join(err, wrap(op, g.name, exec.Destroy())); err != nil {
		return nil, err
	}
	g.times = t
	return t, nil
}

// measuring makes the copy that measures: the graph with the events in it is made runnable, and
// then the events are taken out of the graph again. The caller holds mu.
func (g *Graph) measuring(op string, events []driver.Event) (exec driver.GraphExec, err error) {
	var added []driver.GraphNode
	defer func() {
		for _, n := range added {
			err = errors.Join(err, wrap(op, "taking an event out", g.graph.DestroyNode(n)))
		}
		if err != nil && exec != nil {
			err = errors.Join(err, exec.Destroy())
		}
	}()
	for i, n := range g.nodes {
		before, err := g.around(n, events[2*i], events[2*i+1])
		added = append(added, before...)
		if err != nil {
			return nil, g.dev.late(op, n.Name, err)
		}
	}
	if exec, err = instantiate(g.graph); err != nil {
		return nil, g.dev.late(op, "instantiating", err)
	}
	return exec, g.copyParams(op, exec)
}

// around puts an event before and one behind a node.
func (g *Graph) around(n *Node, before, behind driver.Event) (added []driver.GraphNode, err error) {
	after, err := g.graph.Dependencies(n.node)
	if err != nil {
		return nil, err
	}
	start, err := g.graph.AddEventRecord(after, before)
	if err != nil {
		return nil, err
	}
	added = append(added, start)
	if err := g.graph.AddDependencies([]driver.GraphEdge{{From: start, To: n.node}}); err != nil {
		return added, err
	}
	end, err := g.graph.AddEventRecord([]driver.GraphNode{n.node}, behind)
	if err != nil {
		return added, err
	}
	return append(added, end), nil
}

// copyParams gives a copy what was set on the graph since it was made.
func (g *Graph) copyParams(op string, to driver.GraphExec) error {
	for _, n := range g.nodes {
		var err error
		switch {
		case n.launch != nil:
			err = to.SetKernelParams(n.node, n.launch.nodeParams())
		case n.fill != nil:
			err = g.fillWith(to, n, *n.fill)
		case n.Kind == driver.GraphNodeMemcpy && len(n.buffers) > 0: // none: a copy that no call of this package made
			err = to.SetMemcpyParams(n.node, n.copyParams())
		}
		if err == nil && n.off.Load() {
			err = to.SetEnabled(n.node, false)
		}
		if err != nil {
			return g.dev.late(op, n.Name, err)
		}
	}
	return nil
}

// measure runs the copy. The first two events are around whole runs.
func (g *Graph) measure(op string, n int, exec driver.GraphExec, events []driver.Event) (*NodeTimes, error) {
	t := &NodeTimes{Graph: g.name, Whole: TimingReport{Title: g.name}}
	for _, n := range g.nodes {
		t.Nodes = append(t.Nodes, NodeTime{TimingReport{Title: n.Name}, n.Kind})
	}
	for round := range n + 1 {
		if err := g.round(op, exec, events[0], events[1]); err != nil {
			return nil, err
		}
		if round == 0 {
			continue
		}
		for i := -1; i < len(g.nodes); i++ {
			into := &t.Whole
			if i >= 0 {
				into = &t.Nodes[i].TimingReport
			}
			ms, err := events[2*i+3].ElapsedMilliseconds(events[2*i+2])
			if err != nil {
				return nil, g.dev.late(op, into.Title, err)
			}
			into.Times = append(into.Times, milliseconds(ms))
		}
	}
	return t, nil
}

// round runs the copy once and waits for it.
func (g *Graph) round(op string, exec driver.GraphExec, start, end driver.Event) error {
	s := g.dev.stream.s
	if err := start.Record(s); err != nil {
		return g.dev.late(op, g.name, err)
	}
	if err := exec.Launch(s); err != nil {
		return g.dev.late(op, g.name, err)
	}
	g.launches++
	g.dev.ledger.launchedGraph(&g.name)
	if err := end.Record(s); err != nil {
		return g.dev.late(op, g.name, err)
	}
	return g.dev.waited(op, g.dev.waitEvent(op, end))
}

// Sum is the medians of all nodes together: what the graph would take if nothing ran beside
// anything else.
func (t *NodeTimes) Sum() time.Duration {
	var sum time.Duration
	for _, n := range t.Nodes {
		sum += n.Median()
	}
	return sum
}

// Table lists the nodes with their times and shares.
func (t *NodeTimes) Table() display.Table {
	table := display.NewTable("Nodes of "+t.Graph+", "+plural(len(t.Whole.Times), "round"),
		display.Column{Title: "node", Kind: display.Label}, display.Column{Title: "kind"},
		display.Column{Title: "fastest", Kind: display.Number}, display.Column{Title: "median", Kind: display.Number},
		display.Column{Title: "slowest", Kind: display.Number}, display.Column{Title: "share", Kind: display.Number})
	sum := t.Sum()
	for _, n := range t.Nodes {
		share := "0 %"
		if sum > 0 {
			share = fmt.Sprintf("%.0f %%", 100*n.Median().Seconds()/sum.Seconds())
		}
		table.Add(n.Title, n.Kind.String(), n.Percentile(0), n.Median(), n.Percentile(100), share)
	}
	table.Footer = []any{"whole run", nil, t.Whole.Percentile(0), t.Whole.Percentile(50), t.Whole.Percentile(100), nil}
	return *table
}

// String is the table as text.
func (t *NodeTimes) String() string {
	table := t.Table()
	return table.Text()
}
