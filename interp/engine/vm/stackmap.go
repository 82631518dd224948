package vm

import (
	"math/bits"
	"sync"

	"golang.org/x/tools/go/ssa"
)

// A stackMap tells which pointers in a function's frame are dead at each place where control may leave the frame for longer: what
// runtime's stack maps are for compiled frames. Compiling a function only lists what its instructions read and write; the map is solved from the
// list when it is first asked for, by liveness analysis backwards over the blocks.
type stackMap struct {
	pointers []uintptr   // where frames hold pointers; bit i of a set stands for pointers[i]
	scratch  []uintptr   // those of temporaries, which are dead but where something waits that may write them
	ranges   []wordRange // what use and def events speak of
	blocks   []mapBlock
	events   []event
	recovers int   // the block where the function goes on after a recovered panic, or -1
	pinned   []int // ranges that are never dead

	once sync.Once
	dead []deadSet // by ip
	// unwinding is what is dead once a panic has left the function's body.
	unwinding []uint64
}

// A wordRange is the pointers of one slot: indices from, up to and without to.
type wordRange struct{ from, to int }

// A deadSet is what is dead at one ip. Where an ip is none that control may leave at, nothing is known to be.
type deadSet struct {
	set   []uint64
	waits bool
}

// A mapBlock is a basic block: its events, first those of phis, last those of the terminator.
type mapBlock struct {
	from, phis, end, to int // in events
	succs               []*ssa.BasicBlock
	edges               []uint32 // ips of stops on the way out
}

// An event is what an instruction does: reading or writing a slot (by index in ranges), or being a place to stop at, by ip.
type event uint32

const (
	useEvent event = iota
	defEvent
	callEvent // control leaves for a callee or compiled code, and what the call has read is dead if nothing else reads it
	waitEvent // the goroutine may wait, with its operands in use and its results being written
	eventBits = 2
)

// maxMapBits is how many bits a function's solved map may have; the frames of larger functions keep what they hold.
const maxMapBits = 1 << 23

// deadAt is what is dead in a frame that stands at ip.
func (m *stackMap) deadAt(ip uint32) deadSet {
	m.once.Do(m.solve)
	if int(ip) >= len(m.dead) {
		return deadSet{}
	}
	return m.dead[ip]
}

// afterPanic is what is dead in a frame whose deferred calls run because a panic has left its body.
func (m *stackMap) afterPanic() deadSet {
	m.once.Do(m.solve)
	return deadSet{set: m.unwinding}
}

// A solver is the analysis of one function.
type solver struct {
	*stackMap
	words  int
	in     [][]uint64 // by block: live where it begins, and
	heads  [][]uint64 // the same behind its phis
	live   []uint64   // where block is
	always []uint64   // live wherever a panic may begin
}

func (m *stackMap) solve() {
	s := &solver{stackMap: m, words: (len(m.pointers) + 63) / 64}
	n := len(m.blocks)
	s.in, s.heads = make([][]uint64, n), make([][]uint64, n)
	for i := range n {
		s.in[i], s.heads[i] = make([]uint64, s.words), make([]uint64, s.words)
	}
	s.live, s.always = make([]uint64, s.words), make([]uint64, s.words)
	for changed := true; changed; {
		changed = false
		for i := n - 1; i >= 0; i-- {
			changed = s.block(i, nil) || changed
		}
	}
	if m.recovers >= 0 {
		copy(s.always, s.in[m.recovers])
	}
	for _, i := range m.pinned {
		s.event(useEvent|event(i)<<eventBits, s.always, nil)
	}
	m.unwinding = s.rest(s.always)
	for i := range n {
		s.block(i, s.record)
		for _, ip := range m.blocks[i].edges {
			s.record(ip, s.onEdges(i), false)
		}
	}
	m.blocks, m.events, m.ranges = nil, nil, nil
}

// block goes backwards through block i and reports whether what is live at its start has become more.
func (s *solver) block(i int, record func(ip uint32, live []uint64, waits bool)) bool {
	b := &s.blocks[i]
	live := s.live
	clear(live)
	for _, succ := range b.succs {
		join(live, s.in[succ.Index])
	}
	for k := b.to - 1; k >= b.from; k-- {
		if k == b.phis-1 {
			copy(s.heads[i], live)
		}
		s.event(s.events[k], live, record)
	}
	if b.phis == b.from {
		copy(s.heads[i], live)
	}
	return join(s.in[i], live)
}

func (s *solver) event(e event, live []uint64, record func(ip uint32, live []uint64, waits bool)) {
	x := e >> eventBits
	switch kind := e & (1<<eventBits - 1); kind {
	case useEvent:
		for i := s.ranges[x].from; i < s.ranges[x].to; i++ {
			live[i/64] |= 1 << (i % 64)
		}
	case defEvent:
		for i := s.ranges[x].from; i < s.ranges[x].to; i++ {
			live[i/64] &^= 1 << (i % 64)
		}
	default:
		if record != nil {
			record(uint32(x), live, kind == waitEvent)
		}
	}
}

// onEdges is what is live on the ways out of block i, before or after the copies that phis are.
func (s *solver) onEdges(i int) []uint64 {
	b := &s.blocks[i]
	live := make([]uint64, s.words)
	for _, succ := range b.succs {
		join(live, s.in[succ.Index])
		join(live, s.heads[succ.Index])
	}
	for _, e := range s.events[b.end:b.to] {
		s.event(e, live, nil)
	}
	return live
}

func (s *solver) record(ip uint32, live []uint64, waits bool) {
	if n := int(ip) + 1; n > len(s.dead) {
		s.dead = append(s.dead, make([]deadSet, n-len(s.dead))...)
	}
	set := s.rest(live)
	for i, w := range s.always {
		set[i] &^= w
	}
	s.dead[ip] = deadSet{set, waits}
}

// rest are the pointers that are not in live.
func (s *solver) rest(live []uint64) []uint64 {
	set := make([]uint64, s.words)
	for i := range set {
		set[i] = ^live[i]
	}
	if n := len(s.pointers) % 64; n != 0 {
		set[s.words-1] &= 1<<n - 1
	}
	return set
}

// join adds the bits of more to set and reports whether there were new ones.
func join(set, more []uint64) (grown bool) {
	for i, w := range more {
		grown = grown || w&^set[i] != 0
		set[i] |= w
	}
	return grown
}

// forget clears what is dead in the frame.
func (m *stackMap) forget(fp pointer, d deadSet) {
	for i, w := range d.set {
		for ; w != 0; w &= w - 1 {
			forgetWord(fp, m.pointers[i*64+bits.TrailingZeros64(w)])
		}
	}
	if d.set != nil && !d.waits {
		for _, o := range m.scratch {
			forgetWord(fp, o)
		}
	}
}

func forgetWord(fp pointer, o uintptr) {
	if p := ref[pointer](fp, o); *p != nil {
		*p = nil
	}
}
