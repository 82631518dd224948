package device

import (
	"errors"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
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
			if c == accel.NoClass {
				continue
			}
			kids := rows.Children[i*arity : (i+1)*arity]
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
	return errors.Join(fill(s.keys[0], s.rows), fill(s.pool.classes[0], s.classes), fill(s.parent, parents),
		fill(s.pool.program, s.program.words), fill(s.state, s.now[:]))
}

// download reads the graph back: rows by operator, wide ones put together again, and the rules'
// counts.
func (s *saturation) download() error {
	n, now := int(s.now[stateRaw]), s.now[stateCurrent]
	keys, classes, stats := make([]uint64, n), make([]uint32, n), make([]uint64, 6*len(s.job.Rules))
	s.out.Parents = make([]uint32, s.now[stateIDs])
	if err := errors.Join(read(s.keys[now], keys), read(s.pool.classes[now], classes), read(s.parent, s.out.Parents),
		read(s.stats, stats)); err != nil {
		return err
	}
	for i := range s.out.Rules {
		of := stats[3*(len(s.job.Rules)+i):]
		s.out.Rules[i] = accel.RuleCounts{Matches: int(of[0]),
			Nodes: int(of[1]), Unions: int(of[2])}
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
