package device

import (
	"runtime"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
)

// Unpacking divides the rows over threads: each counts its rows by operator, so that all know where
// theirs go, and then writes them there. Leaves and pairs are few, or all there is to look up
// later: each thread lists its own.

// minPart is how many rows are worth a thread.
const minPart = 1 << 15

// A part is the rows of one thread.
type part struct {
	from, to int
	counts   []int // by operator: rows, then where the next one goes
	leaves   []int // rows
	pairs    []int
}

// An unpacking makes columns of packed rows.
type unpacking struct {
	s       *saturation
	keys    []uint64
	classes []uint32
	pairs   map[uint32][2]uint32 // by class
}

func sides(key uint64) [2]uint32 {
	const low = 1<<idBits - 1
	return [2]uint32{uint32(key>>idBits) & low, uint32(key) & low}
}

// unpack makes columns of rows. The classes of pairs, which nothing names any more, go to class 0.
func (s *saturation) unpack(keys []uint64, classes []uint32) {
	u := &unpacking{s: s, keys: keys, classes: classes, pairs: map[uint32][2]uint32{}}
	n := max(1, min(runtime.GOMAXPROCS(0), len(keys)/minPart))
	parts := make([]part, n)
	for i := range parts {
		parts[i] = part{from: i * len(keys) / n, to: (i + 1) * len(keys) / n, counts: make([]int, len(s.job.Ops))}
	}
	each(parts, u.count)
	u.place(parts)
	u.takePairs(parts)
	each(parts, u.fill)
	u.takeLeaves(parts)
	parents := s.out.Parents
	if len(u.pairs) == 0 {
		return
	}
	for id, p := range parents {
		if _, is := u.pairs[p]; is {
			parents[id] = 0
		}
	}
}

// each does something with all parts at the same time.
func each(parts []part, do func(*part)) {
	var done sync.WaitGroup
	for i := range parts {
		done.Go(func() { do(&parts[i]) })
	}
	done.Wait()
}

func (u *unpacking) count(p *part) {
	for i := p.from; i < p.to; i++ {
		switch code := int(u.keys[i] >> (2 * idBits)); code {
		case 0:
		case leafCode:
			p.leaves = append(p.leaves, i)
		case pairCode:
			p.pairs = append(p.pairs, i)
		default:
			p.counts[code-firstCode]++
		}
	}
}

// place makes the columns and turns counts into places.
func (u *unpacking) place(parts []part) {
	ops := u.s.job.Ops
	u.s.out.Rows = make([]accel.Rows, len(ops))
	for op := range ops {
		sum := 0
		for i := range parts {
			n := parts[i].counts[op]
			parts[i].counts[op] = sum
			sum += n
		}
		u.s.out.Rows[op] = accel.Rows{Children: make([]uint32, sum*ops[op].Arity), Classes: make([]uint32, sum)}
	}
}

func (u *unpacking) fill(p *part) {
	parents := u.s.out.Parents
	for i := p.from; i < p.to; i++ {
		op := int(u.keys[i]>>(2*idBits)) - firstCode
		if op < 0 {
			continue
		}
		rows, arity, at := &u.s.out.Rows[op], u.s.job.Ops[op].Arity, p.counts[op]
		p.counts[op]++
		rows.Classes[at] = parents[u.classes[i]]
		two := sides(u.keys[i])
		if kids := rows.Children[at*arity : (at+1)*arity]; arity <= 2 {
			copy(kids, two[:])
		} else {
			copy(kids, u.children(two, arity))
		}
	}
}

func (u *unpacking) takePairs(parts []part) {
	for i := range parts {
		for _, row := range parts[i].pairs {
			u.pairs[u.s.out.Parents[u.classes[row]]] = sides(u.keys[row])
		}
	}
}

// takeLeaves gives the atoms their classes, new atoms behind those of the job.
func (u *unpacking) takeLeaves(parts []part) {
	s := u.s
	there := len(s.job.Atoms)
	s.out.Atoms, s.out.Leaves = s.program.atoms[:there:there], make([]uint32, there)
	made := map[uint32]uint32{} // new atoms, by number
	for i := range parts {
		for _, row := range parts[i].leaves {
			atom, class := sides(u.keys[row])[0], s.out.Parents[u.classes[row]]
			if int(atom) < there {
				s.out.Leaves[atom] = class
			} else {
				made[atom] = class
			}
		}
	}
	for number := there; number < len(s.program.atoms); number++ {
		if class, ok := made[uint32(number)]; ok {
			s.out.Atoms, s.out.Leaves = append(s.out.Atoms, s.program.atoms[number]), append(s.out.Leaves, class)
		}
	}
}

// children gives the children of a row of more than two, those of pairs in their place: sides are
// paired as pairUp does.
func (u *unpacking) children(two [2]uint32, arity int) []uint32 {
	kids := two[:]
	for _, n := range widths(arity) {
		next := make([]uint32, 0, n)
		for i, k := range kids {
			if i == len(kids)-1 && n%2 == 1 {
				next = append(next, k)
			} else {
				p := u.pairs[k]
				next = append(next, p[0], p[1])
			}
		}
		kids = next
	}
	return kids
}

// widths gives how many elements pairUp has at each level, from the level above two to all.
func widths(arity int) []int {
	var w []int
	for n := arity; n > 2; n = (n + 1) / 2 {
		w = append([]int{n}, w...)
	}
	return w
}
