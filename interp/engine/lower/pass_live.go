package lower

import (
	"golang.org/x/tools/go/ssa"
)

// liveness tells where in a function the slots of its values are still to be read. A folded value
// is read where the op that computes it is; an operand of a phi at the end of the block that it
// comes from.
type liveness struct {
	c     *compiler
	index map[ssa.Value]int
	words int
	out   [][]uint64 // by block: values that are read behind its end
	in    [][]uint64
	uses  map[ssa.Value][]use
	defs  map[ssa.Value]use
}

// A use is instruction number at of a block.
type use struct{ block, at int }

// maxLiveness is how many bits liveness may take: beyond it, phis are copied.
const maxLiveness = 1 << 24

// newLiveness is nil for functions that are too large.
func newLiveness(c *compiler, of map[ssa.Value]bool) *liveness {
	n := len(c.fn.Blocks)
	l := &liveness{c: c, index: make(map[ssa.Value]int, len(of)), uses: map[ssa.Value][]use{}, defs: map[ssa.Value]use{}}
	for v := range of {
		l.index[v] = len(l.index)
	}
	if len(of)*n > maxLiveness {
		return nil
	}
	l.words = (len(of) + 63) / 64
	l.in, l.out = make([][]uint64, n), make([][]uint64, n)
	bits := make([]uint64, 2*n*l.words)
	for i := range n {
		l.in[i], l.out[i] = bits[:l.words], bits[l.words:2*l.words]
		bits = bits[2*l.words:]
	}
	l.scan()
	for v := range of {
		for _, u := range l.uses[v] {
			l.mark(v, u)
		}
	}
	return l
}

// scan finds where each value is defined and read.
func (l *liveness) scan() {
	for p := range l.index {
		if _, ok := p.(*ssa.Parameter); ok {
			l.defs[p] = use{0, -1}
		}
	}
	for _, b := range l.c.fn.Blocks {
		for i, in := range b.Instrs {
			if phi, ok := in.(*ssa.Phi); ok {
				l.defs[phi] = use{b.Index, -1}
				for e, v := range phi.Edges {
					pred := b.Preds[e]
					l.read(v, use{pred.Index, len(pred.Instrs)})
				}
				continue
			}
			v, ok := in.(ssa.Value)
			if ok && l.c.folded[v] {
				continue
			}
			if ok {
				l.defs[v] = use{b.Index, i}
			}
			l.readOperands(in, use{b.Index, i})
		}
	}
}

func (l *liveness) readOperands(in ssa.Instruction, u use) {
	if call, ok := in.(*ssa.Call); ok {
		l.read(l.c.appended[call], u)
	}
	var buf [8]*ssa.Value
	for _, o := range in.Operands(buf[:0]) {
		l.read(*o, u)
	}
}

func (l *liveness) read(v ssa.Value, u use) {
	if v == nil {
		return
	}
	if l.c.folded[v] {
		l.readOperands(v.(ssa.Instruction), u)
		return
	}
	if _, ok := l.index[v]; ok {
		l.uses[v] = append(l.uses[v], u)
	}
}

// mark makes v live from u back to its definition.
func (l *liveness) mark(v ssa.Value, u use) {
	i := l.index[v]
	word, bit := i/64, uint64(1)<<(i%64)
	def := l.defs[v]
	if u.at == len(l.c.fn.Blocks[u.block].Instrs) {
		l.out[u.block][word] |= bit
	}
	todo := []int{u.block}
	if def.block == u.block && def.at < u.at {
		return
	}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if l.in[b][word]&bit != 0 {
			continue
		}
		l.in[b][word] |= bit
		for _, p := range l.c.fn.Blocks[b].Preds {
			l.out[p.Index][word] |= bit
			if p.Index != def.block {
				todo = append(todo, p.Index)
			}
		}
	}
}

// liveAfter reports whether v's slot is still to be read behind u.
func (l *liveness) liveAfter(v ssa.Value, u use) bool {
	i := l.index[v]
	def := l.defs[v]
	if def.block == u.block {
		if def.at > u.at {
			return false
		}
	} else if l.in[u.block][i/64]&(1<<(i%64)) == 0 {
		return false
	}
	if l.out[u.block][i/64]&(1<<(i%64)) != 0 {
		return true
	}
	for _, r := range l.uses[v] {
		if r.block == u.block && r.at > u.at {
			return true
		}
	}
	return false
}

// interfere reports whether a and b may hold different values that are both still to be read.
func (l *liveness) interfere(a, b ssa.Value) bool {
	p, q := l.defs[a], l.defs[b]
	return p == q || l.liveAfter(a, q) || l.liveAfter(b, p)
}
