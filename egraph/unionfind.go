package egraph

import "sync/atomic"

// An ID names an e-class. Ids stay valid for the life of the graph: Find gives the class that an id
// now belongs to, whose name is the smallest id in it.
type ID uint32

// A unionFind is a forest over ids whose roots are the smallest members, so that one ascending pass
// flattens it and a device that hooks the larger root under the smaller gets the same names.
type unionFind struct {
	parent []uint32
	unions int // successful unions so far: classes = len(parent) - unions
}

func (u *unionFind) fresh() uint32 {
	id := uint32(len(u.parent))
	u.parent = append(growColumn(u.parent, 1), id)
	return id
}

// find halves the path it walks (Tarjan and van Leeuwen 1984).
func (u *unionFind) find(x uint32) uint32 {
	if u.unions == 0 {
		return x
	}
	p := u.parent
	for p[x] != x {
		p[x] = p[p[x]]
		x = p[x]
	}
	return x
}

// root is find without halving: threads may use it at the same time.
func (u *unionFind) root(x uint32) uint32 {
	for u.parent[x] != x {
		x = u.parent[x]
	}
	return x
}

func (u *unionFind) union(a, b uint32) bool {
	a, b = u.find(a), u.find(b)
	if a == b {
		return false
	}
	if a > b {
		a, b = b, a
	}
	u.parent[b] = a
	u.unions++
	return true
}

// A merging is the unions that one of several threads makes at the same time: which ids are roots no more.
type merging struct{ losers []uint32 }

// unite is union where other threads unite too: a larger root is hooked under a smaller one by compare-and-swap,
// so the forest's roots in the end do not depend on who was first.
func (m *merging) unite(u *unionFind, a, b uint32) {
	for a, b = u.rootNow(a), u.rootNow(b); a != b; a, b = u.rootNow(a), u.rootNow(b) {
		if a < b {
			a, b = b, a
		}
		if atomic.CompareAndSwapUint32(&u.parent[a], a, b) {
			m.losers = append(m.losers, a)
			return
		}
	}
}

// rootNow is root while other threads unite.
func (u *unionFind) rootNow(x uint32) uint32 {
	for {
		p := atomic.LoadUint32(&u.parent[x])
		if p == x {
			return x
		}
		x = p
	}
}

// take takes over what threads merged.
func (g *EGraph) take(merged []merging) {
	for i := range merged {
		n := len(merged[i].losers)
		g.losers = append(g.losers, merged[i].losers...)
		g.uf.unions += n
		g.version += uint64(n)
		merged[i].losers = merged[i].losers[:0]
	}
}

// flatten points every id at its root: parents are smaller, so they are flat when their children come.
func (u *unionFind) flatten() {
	p := u.parent
	for i, x := range p {
		p[i] = p[x]
	}
}

func (u *unionFind) classes() int { return len(u.parent) - u.unions }
