package egraph

import (
	"sync"
	"unsafe"
)

// A slab gives out short slices of one larger array: a program of forty rules has hundreds of them, and a run
// over ten nodes dozens, which as arrays of their own would each cost an allocation and a cold cache line. A
// slice that outgrows its room moves to an array of its own.
type slab[T any] struct {
	array []T
	used  int
}

// Sizes of a slab's arrays; a slice that wants a good part of the least one gets its own.
const (
	slabLeast = 1 << 11 // bytes
	slabMost  = 1 << 15
)

// take gives a slice of n zeros with room for more.
func (s *slab[T]) take(n, room int) []T {
	if s.used+room > len(s.array) {
		size := int(unsafe.Sizeof(*new(T)))
		if room > slabLeast/2/size {
			return make([]T, n, room)
		}
		s.array, s.used = make([]T, min(max(slabLeast/size, 2*len(s.array)), slabMost/size)), 0
	}
	c := s.array[s.used : s.used+n : s.used+room]
	s.used += room
	return c
}

// one gives a pointer into the slab.
func (s *slab[T]) one() *T { return &s.take(1, 1)[0] }

// reset takes back what was given.
func (s *slab[T]) reset() {
	clear(s.array[:s.used])
	s.used = 0
}

// programs holds the memory of programs whose runs are over, for the next ones: most runs in a notebook are
// short, and compiling forty rules would be most of their garbage.
var programs = sync.Pool{New: func() any { return new(program) }}

// newProgram gives an empty program.
func newProgram(g *EGraph, rules int) *program {
	p := programs.Get().(*program)
	p.g = g
	p.all = p.parts.rules.take(rules, rules)
	return p
}

// release gives the memory of a program back. Nothing that it made is used afterwards.
func (p *program) release() {
	clear(p.roots)
	clear(p.rules)
	clear(p.grounds)
	clear(p.indexes)
	clear(p.keys)
	clear(p.frozen[:cap(p.frozen)])
	p.words.reset()
	p.headers.reset()
	p.parts.reset()
	*p = program{roots: p.roots[:0], rules: p.rules[:0], grounds: p.grounds[:0], indexes: p.indexes[:0],
		keys: p.keys[:0], frozen: p.frozen[:0], todo: p.todo[:0], words: p.words, headers: p.headers, parts: p.parts}
	programs.Put(p)
}

// parts is what steps and rules are made of.
type parts struct {
	rules        slab[compiled]
	ends         slab[*compiled]
	steps        slab[step]
	children     slab[*step]
	checks       slab[check]
	binds        slab[bind]
	ints         slab[int]
	instructions slab[instruction]
	operands     slab[operand]
	grounds      slab[ground]
	keys         slab[keyIndex]
	ages         slab[uint8]
	queue        []pending
}

func (p *parts) reset() {
	p.rules.reset()
	p.ends.reset()
	p.steps.reset()
	p.children.reset()
	p.checks.reset()
	p.binds.reset()
	p.ints.reset()
	p.instructions.reset()
	p.operands.reset()
	p.grounds.reset()
	p.keys.reset()
	p.ages.reset()
	clear(p.queue[:cap(p.queue)])
}
