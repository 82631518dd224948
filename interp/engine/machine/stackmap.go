package machine

import (
	"math/bits"
	"sync"

	"golang.org/x/tools/go/ssa"
)

// A StackMap tells which pointers in a function's frame are dead at each place where control may
// leave the frame for longer: what runtime's stack maps are for compiled frames. Compiling a
// function only lists what its instructions read and write; the map is solved from the list when it
// is first asked for, by liveness analysis backwards over the blocks.
type StackMap struct {
	Pointers []uintptr      // where frames hold pointers; bit i of a set stands for pointers[i]
	Scratch  []uintptr      // those of temporaries, which are dead but where something waits that may write them
	Ranges   []PointerRange // what use and def events speak of
	Blocks   []MapBlock
	Events   []Event
	Recovers int   // the block where the function goes on after a recovered panic, or -1
	Pinned   []int // ranges that are never dead

	once sync.Once
	dead []deadSet // by ip
	// unwinding is what is dead once a panic has left the function's body.
	unwinding []uint64
}

// A PointerRange is the pointers of one slot: indices from, up to and without to.
type PointerRange struct{ From, To int }

// A deadSet is what is dead at one ip. Where an ip is none that control may leave at, nothing is
// known to be.
type deadSet struct {
	set   []uint64
	waits bool
}

// A MapBlock is a basic block: its events, first those of phis, last those of the terminator.
type MapBlock struct {
	From, Phis, End, To int // in events
	Succs               []*ssa.BasicBlock
	Edges               []uint32 // ips of stops on the way out
}

// An Event is what an instruction does: reading or writing a slot (by index in ranges), or being a
// place to stop at, by ip.
type Event uint32

const (
	EventUse Event = iota
	EventDef
	EventCall // control leaves for a callee or compiled code, and what the call has read is dead if nothing else reads it
	EventWait // the goroutine may wait, with its operands in use and its results being written
	EventBits = 2
)

// MaxMapBits is how many bits a function's solved map may have; the frames of larger functions keep
// what they hold.
const MaxMapBits = 1 << 23

// deadAt is what is dead in a frame that stands at ip.
func (m *StackMap) deadAt(ip uint32) deadSet {
	m.once.Do(m.solve)
	if int(ip) >= len(m.dead) {
		return deadSet{}
	}
	return m.dead[ip]
}

// afterPanic is what is dead in a frame whose deferred calls run because a panic has left its body.
func (m *StackMap) afterPanic() deadSet {
	m.once.Do(m.solve)
	return deadSet{set: m.unwinding}
}

// A solver is the analysis of one function.
type solver struct {
	*StackMap
	words  int
	in     [][]uint64 // by block: live where it begins, and
	heads  [][]uint64 // the same behind its phis
	live   []uint64   // where block is
	always []uint64   // live wherever a panic may begin
}

func (m *StackMap) solve() {
	s := &solver{StackMap: m, words: (len(m.Pointers) + 63) / 64}
	n := len(m.Blocks)
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
	if m.Recovers >= 0 {
		copy(s.always, s.in[m.Recovers])
	}
	for _, i := range m.Pinned {
		s.event(EventUse|Event(i)<<EventBits, s.always, nil)
	}
	m.unwinding = s.rest(s.always)
	for i := range n {
		s.block(i, s.record)
		for _, ip := range m.Blocks[i].Edges {
			s.record(ip, s.onEdges(i), false)
		}
	}
	m.Blocks, m.Events, m.Ranges = nil, nil, nil
}

// block goes backwards through block i and reports whether what is live at its start has become
// more.
func (s *solver) block(i int, record func(ip uint32, live []uint64, waits bool)) bool {
	b := &s.Blocks[i]
	live := s.live
	clear(live)
	for _, succ := range b.Succs {
		join(live, s.in[succ.Index])
	}
	for k := b.To - 1; k >= b.From; k-- {
		if k == b.Phis-1 {
			copy(s.heads[i], live)
		}
		s.event(s.Events[k], live, record)
	}
	if b.Phis == b.From {
		copy(s.heads[i], live)
	}
	return join(s.in[i], live)
}

func (s *solver) event(e Event, live []uint64, record func(ip uint32, live []uint64, waits bool)) {
	x := e >> EventBits
	switch kind := e & (1<<EventBits - 1); kind {
	case EventUse:
		for i := s.Ranges[x].From; i < s.Ranges[x].To; i++ {
			live[i/64] |= 1 << (i % 64)
		}
	case EventDef:
		for i := s.Ranges[x].From; i < s.Ranges[x].To; i++ {
			live[i/64] &^= 1 << (i % 64)
		}
	default:
		if record != nil {
			record(uint32(x), live, kind == EventWait)
		}
	}
}

// onEdges is what is live on the ways out of block i, before or after the copies that phis are.
func (s *solver) onEdges(i int) []uint64 {
	b := &s.Blocks[i]
	live := make([]uint64, s.words)
	for _, succ := range b.Succs {
		join(live, s.in[succ.Index])
		join(live, s.heads[succ.Index])
	}
	for _, e := range s.Events[b.End:b.To] {
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
	if n := len(s.Pointers) % 64; n != 0 {
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
func (m *StackMap) forget(fp pointer, d deadSet) {
	for i, w := range d.set {
		for ; w != 0; w &= w - 1 {
			forgetWord(fp, m.Pointers[i*64+bits.TrailingZeros64(w)])
		}
	}
	if d.set != nil && !d.waits {
		for _, o := range m.Scratch {
			forgetWord(fp, o)
		}
	}
}

func forgetWord(fp pointer, o uintptr) {
	if p := ref[pointer](fp, o); *p != nil {
		*p = nil
	}
}
