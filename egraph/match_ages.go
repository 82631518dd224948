package egraph

import (
	"encoding/binary"
	"math/bits"
)

// Ages say when a row was made or last changed: its children or its class were made canonical anew, or it
// was hidden and no longer is. Searches are numbered by generations; a change belongs to the generation of
// the search that first sees it. A rule that was searched, and its matches applied, in generation m has
// nothing to find among rows of age m or less, as the matches among them are those it had then.
//
// Ages are kept from the first search of a graph of agingFrom nodes on, a byte a row. Rows behind the last
// age are of the generation that now is.

const (
	agingFrom      = 1 << 8
	lastGeneration = 126 // ages stay below 128, for newer; then numbering starts again
)

// generations numbers the searches of a graph.
type generations struct {
	from     int                        // ages are kept once a graph has so many nodes
	now      uint8                      // of changes from now on; 0: ages are not kept
	ids      [lastGeneration + 1]uint32 // by generation: how many ids there were when it was searched
	searched map[*Rule]searched         // what rules have seen
}

// searched is what a rule has seen.
type searched struct {
	generation uint8
	edits      int      // of the rule then
	matches    int      // at most so many there were
	grounds    []uint32 // the classes of the ground terms in its left side; none where they were not there
}

// startSearch begins a generation: it dates all rows, and answers the number.
func (g *EGraph) startSearch() uint8 {
	a := &g.generations
	if a.now == lastGeneration {
		g.forgetSearches()
		for _, t := range g.tables {
			for i := range t.age {
				t.age[i] = 1
			}
		}
		a.now = 1
	}
	a.now = max(a.now, 1)
	number := a.now
	a.ids[number] = uint32(len(g.uf.parent))
	for _, t := range g.tables {
		t.now = number
		t.dateRows()
		t.now = number + 1
	}
	a.now++
	return number
}

// forgetSearches has every rule search everything again.
func (g *EGraph) forgetSearches() {
	g.generations.searched = nil
	for _, m := range g.marks {
		m.searched = nil
	}
}

// dateRows gives the rows that have none their age.
func (t *table) dateRows() {
	from, rows := len(t.age), t.rows()
	if t.now == 0 || from == rows {
		return
	}
	if cap(t.age) < rows {
		grown := make([]uint8, from, max(rows, cap(t.class)))
		copy(grown, t.age)
		t.age = grown
	}
	t.age = t.age[:rows]
	for i := from; i < rows; i++ {
		t.age[i] = t.now
	}
}

// touched says that a row changed. One without an age needs none.
func (t *table) touched(r int) {
	if r < len(t.age) {
		t.age[r] = t.now
	}
}

// newer counts the ages above one, eight at a time: ages are below 128, so adding 127-m carries into the
// highest bit of a byte where its age is above m.
func newer(ages []uint8, m uint8) int {
	n, add := 0, uint64(127-m)*0x0101010101010101
	for ; len(ages) >= 8; ages = ages[8:] {
		n += bits.OnesCount64((binary.LittleEndian.Uint64(ages) + add) & 0x8080808080808080)
	}
	for _, a := range ages {
		if a > m {
			n++
		}
	}
	return n
}

// nextNewer gives the first place from one on whose age is above m, or len(ages).
func nextNewer(ages []uint8, from int, m uint8) int {
	add := uint64(127-m) * 0x0101010101010101
	for ; from+8 <= len(ages); from += 8 {
		if w := (binary.LittleEndian.Uint64(ages[from:]) + add) & 0x8080808080808080; w != 0 {
			return from + bits.TrailingZeros64(w)/8
		}
	}
	for from < len(ages) && ages[from] <= m {
		from++
	}
	return from
}

// sameGrounds reports whether the ground terms of a rule's left side are in the classes that they were in.
func (p *program) sameGrounds(c *compiled, before []uint32) bool {
	if len(before) != len(c.grounds) {
		return false
	}
	for i, n := range c.grounds {
		if p.groundClass(n) != before[i] {
			return false
		}
	}
	return true
}

// groundClass is the class of a ground term when the iteration began, none where it was not there.
func (p *program) groundClass(n int) uint32 { return p.grounds[n].before }

// remember keeps what the rules of a run have seen for the next run.
func (r *runner) remember() {
	if r.g.generations.now == 0 || !r.delta {
		return
	}
	a := &r.g.generations
	for _, c := range r.p.rules {
		switch {
		case c.seen.generation == 0:
			delete(a.searched, c.Rule)
			continue
		case a.searched == nil:
			a.searched = map[*Rule]searched{}
		}
		a.searched[c.Rule] = c.seen
	}
}
