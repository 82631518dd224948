package vm

import "github.com/vyre-kernel/vyre-kernel/cuda/ptx"

// besideAtomics reports whether the plain load at index k may be a look beside atomics, and not the
// reading of a result too early: an atomic of the same width may follow it before a barrier, or none
// has come since one.
func (g *graph) besideAtomics(k, size int) bool {
	space := g.fn.Code[k].Space()
	alike := func(in *ptx.Instruction) bool {
		if in.Op == "call" {
			return true
		}
		s := in.Space()
		return (in.Op == "atom" || in.Op == "red") && in.Types()[len(in.Types())-1].Size() == size && (s == space ||
			s == ptx.Generic || space == ptx.Generic)
	}
	if g.reaches(k, func(i int) bool { return alike(&g.fn.Code[i]) }) {
		return true
	}
	for i := range g.fn.Code {
		if alike(&g.fn.Code[i]) && !exclusive(g.fn.Code[i].Guard, g.fn.Code[k].Guard) && g.reaches(i,
			func(j int) bool { return j == k }) {
			return false
		}
	}
	return true
}

// exclusive reports whether no lane runs both of two instructions with these guards.
func exclusive(x, y *ptx.Guard) bool {
	return x != nil && y != nil && x.Reg == y.Reg && x.Negate != y.Negate
}

// waitsForBlock reports whether an instruction is a barrier at which threads wait for others of their block.
func waitsForBlock(in *ptx.Instruction) bool {
	return (in.Op == "bar" || in.Op == "barrier") && !in.Has("warp") && !in.Has("arrive")
}

// reaches reports whether lanes may come from behind instruction k to one of those asked for, without a
// barrier on the way.
func (g *graph) reaches(k int, wanted func(i int) bool) bool {
	seen := make([]bool, len(g.spans))
	ways := []int{}
	walk := func(from, to, s int) bool {
		for i := from; i < to; i++ {
			if wanted(i) {
				return true
			}
			if in := &g.fn.Code[i]; in.Guard == nil && waitsForBlock(in) {
				return false
			}
		}
		ways = append(ways, g.spans[s].next...)
		return false
	}
	if walk(k+1, g.spans[g.at[k]].to, g.at[k]) {
		return true
	}
	for len(ways) > 0 {
		s := ways[len(ways)-1]
		ways = ways[:len(ways)-1]
		if !seen[s] {
			seen[s] = true
			if walk(g.spans[s].from, g.spans[s].to, s) {
				return true
			}
		}
	}
	return false
}
