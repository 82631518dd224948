package dag

// A step is a node of the graph, or a bend where an edge passes a row.
type step struct {
	node  int // -1: a bend
	row   int
	up    []int // steps of the row above that lead here
	down  []int
	width float64
	x     float64
}

// A layout is a graph on its way to a picture.
type layout struct {
	graph Graph
	steps []step
	rows  [][]int // steps from left to right
	// paths holds, for each edge, the steps it passes, ends included.
	paths [][]int
}

func (g Graph) layout() (*layout, error) {
	order, err := g.check()
	if err != nil {
		return nil, err
	}
	l := &layout{graph: g}
	l.assign(order)
	if err := l.connect(); err != nil {
		return nil, err
	}
	l.order()
	l.place()
	return l, nil
}

// assign puts every node one row below the lowest of those that lead to it, then pulls nodes that
// nothing leads to down to just above what they lead to, which shortens their edges.
func (l *layout) assign(order []int) {
	next := l.graph.successors()
	row := make([]int, len(order))
	sources := make([]bool, len(order))
	for i := range sources {
		sources[i] = true
	}
	for _, n := range order {
		for _, to := range next[n] {
			row[to] = max(row[to], row[n]+1)
			sources[to] = false
		}
	}
	height := 0
	for _, n := range order {
		if sources[n] && len(next[n]) > 0 {
			lowest := len(order)
			for _, to := range next[n] {
				lowest = min(lowest, row[to]-1)
			}
			row[n] = lowest
		}
		height = max(height, row[n]+1)
	}
	l.rows = make([][]int, height)
	l.steps = make([]step, len(order))
	for n := range l.steps { // in the graph's own order, which is how people numbered it
		l.steps[n] = step{node: n, row: row[n], width: boxWidth(l.graph.Nodes[n])}
		l.rows[row[n]] = append(l.rows[row[n]], n)
	}
}

// connect cuts edges that pass rows into steps, one a row.
func (l *layout) connect() error {
	seen := map[[2]int]bool{}
	for _, e := range l.graph.Edges {
		if seen[e] {
			continue // drawn once
		}
		seen[e] = true
		path := []int{e[0]}
		for row := l.steps[e[0]].row + 1; row < l.steps[e[1]].row; row++ {
			path = append(path, len(l.steps))
			l.rows[row] = append(l.rows[row], len(l.steps))
			l.steps = append(l.steps, step{node: -1, row: row, width: bendWidth})
		}
		path = append(path, e[1])
		for i := 1; i < len(path); i++ {
			a, b := path[i-1], path[i]
			l.steps[a].down = append(l.steps[a].down, b)
			l.steps[b].up = append(l.steps[b].up, a)
		}
		l.paths = append(l.paths, path)
		if len(l.steps) > maxSteps {
			return &SizeError{What: "steps of edges", Found: len(l.steps), Most: maxSteps}
		}
	}
	return nil
}
