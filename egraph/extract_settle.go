package egraph

import "math"

// Where passes over the columns do not settle soon, a class is looked at when it became cheaper, the cheapest
// first (Knuth 1977): each class then once, whatever the order of the rows, as long as no node costs less
// than its children. Where one does, rounds go on to the fixed point, or find that the cost falls along a cycle.

// usualPasses is how many passes over the columns come first: nearly all graphs settle in fewer.
const usualPasses = 16

// look is how many steps pass between two looks at the interruption.
const look = 1 << 12

// uses lists the rows that have a class among their children: those of class c are
// entries[offsets[c]:offsets[c+1]].
type uses struct {
	offsets []uint32
	entries []entry
}

// usesOf lists the rows that are not hidden, by the classes that their children are in now.
func (g *EGraph) usesOf() *uses {
	u := &uses{offsets: make([]uint32, len(g.uf.parent)+1)}
	g.eachRow(func(op, row, _ uint32) {
		for _, k := range g.node(op, row).kids() {
			u.offsets[g.uf.find(k)]++
		}
	})
	sum := uint32(0)
	for i, n := range u.offsets {
		u.offsets[i] = sum
		sum += n
	}
	u.entries = make([]entry, sum)
	g.eachRow(func(op, row, _ uint32) {
		for _, k := range g.node(op, row).kids() {
			c := g.uf.find(k)
			u.entries[u.offsets[c]] = entry{op, row}
			u.offsets[c]++
		}
	})
	// Each offset has moved to the end of its class, which is where the next one starts.
	copy(u.offsets[1:], u.offsets)
	u.offsets[0] = 0
	return u
}

func (u *uses) of(class uint32) []entry { return u.entries[u.offsets[class]:u.offsets[class+1]] }

// settle goes on from what passes found until no class becomes cheaper.
func (x *Extractor) settle() error {
	x.uses = x.g.usesOf()
	defer func() { x.uses = nil }()
	if x.cheapestFirst() || x.interrupted.Load() {
		return nil
	}
	return x.rounds()
}

// cheapestFirst answers false where a class became cheaper than one that it was made of.
func (x *Extractor) cheapestFirst() bool {
	q := costQueue{}
	for c, cost := range x.costs {
		if !math.IsInf(cost, 1) {
			q.push(cost, uint32(c))
		}
	}
	done, superior := newBitset(len(x.costs)), true
	for steps := 0; len(q) > 0 && superior; steps++ {
		if steps%look == 0 && x.interrupted.Load() {
			return false
		}
		cost, class := q.pop()
		if cost > x.costs[class] || done.has(class) {
			continue
		}
		done.set(class)
		x.relax(class, func(cheaper uint32) {
			superior = superior && !done.has(cheaper)
			q.push(x.costs[cheaper], cheaper)
		})
	}
	return superior
}

// relax prices the rows over a class, and tells which classes they made cheaper.
func (x *Extractor) relax(class uint32, cheaper func(class uint32)) {
	for _, e := range x.uses.of(class) {
		n := x.g.node(e.op, e.row)
		if class := uint32(n.Class()); x.price(n, class) {
			cheaper(class)
		}
	}
}

// rounds relaxes what became cheaper in the round before (Bellman and Ford): a cost that does not fall along a
// cycle has settled after as many rounds as there are classes, and one that does is seen soon after it
// has gone round.
func (x *Extractor) rounds() error {
	var now, next []uint32
	for c, cost := range x.costs {
		if !math.IsInf(cost, 1) {
			now = append(now, uint32(c))
		}
	}
	queued := newBitset(len(x.costs))
	for round := 1; len(now) > 0; round++ {
		for i, class := range now {
			if i%look == 0 && x.interrupted.Load() {
				return nil
			}
			x.relax(class, func(cheaper uint32) {
				if !queued.has(cheaper) {
					queued.set(cheaper)
					next = append(next, cheaper)
				}
			})
		}
		if round&(round-1) == 0 || round > x.g.uf.classes() {
			if err := x.falls(); err != nil {
				return err
			}
		}
		queued.clear()
		now, next = next, now[:0]
	}
	return nil
}

// falls looks for a class whose cheapest node leads back to it.
func (x *Extractor) falls() error {
	c, ok := x.cycle()
	if !ok {
		return nil
	}
	return &CostError{Class: ID(c), Cost: x.costs[c],
		Reason: "the cost function makes a node cheaper than its child, and falls along a cycle; " +
			"let a node cost at least as much as each of its children"}
}

// cycle gives a class whose cheapest node leads back to it, if there is one.
func (x *Extractor) cycle() (uint32, bool) {
	state := make([]uint8, len(x.costs)) // 1: on the path, 2: done
	type stand struct{ class, next uint32 }
	var path []stand
	for c, cost := range x.costs {
		if state[c] != 0 || math.IsInf(cost, 1) {
			continue
		}
		state[c] = 1
		for path = append(path, stand{class: uint32(c)}); len(path) > 0; {
			at := &path[len(path)-1]
			kids := x.node(at.class).kids()
			if int(at.next) == len(kids) {
				state[at.class] = 2
				path = path[:len(path)-1]
				continue
			}
			k := x.g.uf.find(kids[at.next])
			at.next++
			switch state[k] {
			case 0:
				state[k] = 1
				path = append(path, stand{class: k})
			case 1:
				return k, true
			}
		}
	}
	return 0, false
}

// A costQueue is a heap of classes by cost, and by number among equals.
type costQueue []costly

type costly struct {
	cost  float64
	class uint32
}

func (a costly) before(b costly) bool {
	return a.cost < b.cost || a.cost == b.cost && a.class < b.class
}

func (q *costQueue) push(cost float64, class uint32) {
	h := append(*q, costly{cost, class})
	i := len(h) - 1
	for i > 0 && h[i].before(h[(i-1)/2]) {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
	*q = h
}

func (q *costQueue) pop() (cost float64, class uint32) {
	h := *q
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		least := i
		for kid := 2*i + 1; kid <= 2*i+2 && kid < last; kid++ {
			if h[kid].before(h[least]) {
				least = kid
			}
		}
		if least == i {
			*q = h
			return first.cost, first.class
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}
