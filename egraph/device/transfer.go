package device

import (
	"errors"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/egraph"
)

func key(code int, left, right uint32) uint64 {
	return uint64(code)<<(2*idBits) | uint64(left)<<idBits | uint64(right)
}

// upload packs the graph into rows and brings it to the device.
func (s *saturation) upload(given capacities) error {
	parents := slices.Clone(s.job.Parents)
	for id, p := range parents {
		parents[id] = parents[p]
	}
	pairs := map[uint64]uint32{}
	pair := func(a, b uint32) uint32 {
		k := key(pairCode, a, b)
		id, ok := pairs[k]
		if !ok {
			id = uint32(len(parents))
			pairs[k] = id
			parents = append(parents, id)
			s.rows, s.classes = append(s.rows, k), append(s.classes, id)
		}
		return id
	}
	for i, c := range s.job.Leaves {
		s.rows, s.classes = append(s.rows, key(leafCode, uint32(i), 0)), append(s.classes, c)
	}
	for op, rows := range s.job.Rows {
		arity := s.job.Ops[op].Arity
		for i, c := range rows.Classes {
			if c == egraph.NoClass {
				continue
			}
			kids := rows.Kids[i*arity : (i+1)*arity]
			if arity > 2 {
				kids = pairUp(kids, pair)
			}
			k := key(firstCode+op, kids[0], 0)
			if len(kids) == 2 {
				k |= uint64(kids[1])
			}
			s.rows, s.classes = append(s.rows, k), append(s.classes, c)
		}
	}
	s.ids = len(parents)
	if err := errors.Join(s.begin(given), s.make()); err != nil {
		return err
	}
	s.now[stateRaw], s.now[stateIDs] = uint32(len(s.rows)), uint32(s.ids)
	return errors.Join(fill(s.keys[0], s.rows), fill(s.pool.classes[0], s.classes), fill(s.parent, parents), fill(s.pool.program, s.program.words), fill(s.state, s.now[:]))
}

// download reads the graph back: rows by operator, wide ones put together again, and the rules' counts.
func (s *saturation) download() error {
	n, now := int(s.now[stateRaw]), s.now[stateCurrent]
	keys, classes, stats := make([]uint64, n), make([]uint32, n), make([]uint64, 6*len(s.job.Rules))
	s.out.Parents = make([]uint32, s.now[stateIDs])
	if err := errors.Join(read(s.keys[now], keys), read(s.pool.classes[now], classes), read(s.parent, s.out.Parents), read(s.stats, stats)); err != nil {
		return err
	}
	for i := range s.out.Rules {
		of := stats[3*(len(s.job.Rules)+i):]
		s.out.Rules[i] = egraph.RuleStats{Rule: s.job.Rules[i].Name, Matches: int(of[0]), Applied: int(of[0]), Nodes: int(of[1]), Unions: int(of[2])}
	}
	parents := s.out.Parents
	for id, p := range parents {
		parents[id] = parents[p]
	}
	s.unpack(keys, classes)
	return nil
}

func read[T any](b interface{ Read(int, any) error }, into []T) error {
	if len(into) == 0 {
		return nil
	}
	return b.Read(0, into)
}

// unpack makes columns of rows. The classes of pairs, which nothing names any more, go to class 0.
func (s *saturation) unpack(keys []uint64, classes []uint32) {
	parents := s.out.Parents
	s.out.Rows = make([]egraph.JobRows, len(s.job.Ops))
	leaves := make([]uint32, len(s.program.atoms))
	there := len(s.job.Atoms)
	const low = 1<<idBits - 1
	sides := func(k uint64) [2]uint32 { return [2]uint32{uint32(k>>idBits) & low, uint32(k) & low} }
	pairs := map[uint32][2]uint32{}
	counts := make([]int, len(s.job.Ops))
	for i, k := range keys {
		switch code := int(k >> (2 * idBits)); {
		case code == pairCode:
			pairs[parents[classes[i]]] = sides(k)
		case code >= firstCode:
			counts[code-firstCode]++
		}
	}
	for op, n := range counts {
		s.out.Rows[op] = egraph.JobRows{Kids: make([]uint32, 0, n*s.job.Ops[op].Arity), Classes: make([]uint32, 0, n)}
	}
	made := map[uint32]uint32{} // new atoms, by number
	for i, k := range keys {
		switch code := int(k >> (2 * idBits)); code {
		case 0, pairCode:
		case leafCode:
			if atom := sides(k)[0]; int(atom) < there {
				leaves[atom] = parents[classes[i]]
			} else {
				made[atom] = parents[classes[i]]
			}
		default:
			rows := &s.out.Rows[code-firstCode]
			rows.Kids = appendKids(rows.Kids, sides(k), s.job.Ops[code-firstCode].Arity, pairs)
			rows.Classes = append(rows.Classes, parents[classes[i]])
		}
	}
	s.out.Atoms, s.out.Leaves = s.program.atoms[:there:there], leaves[:there:there]
	for number := there; number < len(s.program.atoms); number++ {
		if class, ok := made[uint32(number)]; ok {
			s.out.Atoms, s.out.Leaves = append(s.out.Atoms, s.program.atoms[number]), append(s.out.Leaves, class)
		}
	}
	for id, p := range parents {
		if _, is := pairs[p]; is && len(pairs) > 0 {
			parents[id] = 0
		}
	}
}

// appendKids appends the children of a row, those of pairs in their place: sides are paired as pairUp does.
func appendKids(to []uint32, sides [2]uint32, arity int, pairs map[uint32][2]uint32) []uint32 {
	if arity == 1 {
		return append(to, sides[0])
	}
	kids := sides[:]
	for _, n := range widths(arity) {
		next := make([]uint32, 0, n)
		for i, k := range kids {
			if i == len(kids)-1 && n%2 == 1 {
				next = append(next, k)
			} else {
				p := pairs[k]
				next = append(next, p[0], p[1])
			}
		}
		kids = next
	}
	return append(to, kids...)
}

// widths gives how many elements pairUp has at each level, from the level above two to all.
func widths(arity int) []int {
	var w []int
	for n := arity; n > 2; n = (n + 1) / 2 {
		w = append([]int{n}, w...)
	}
	return w
}
