package vm

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// step is an instruction made ready: it acts on all active lanes of a block.
type step func(b *block)

// terminator ends a basic block: it says where the active lanes go on.
type terminator func(b *block)

// basicBlock is straight-line code with its steps' instructions beside it.
type basicBlock struct {
	steps  []step
	from   []*ptx.Instruction
	end    terminator
	endIn  *ptx.Instruction // nil where the block only falls through
	instrs int              // PTX instructions, for the counters
	source []*ptx.Instruction
	next   []int // the blocks that may follow
}

// block is a thread block at work. One worker uses one block for many thread
// blocks, one after another.
type block struct {
	code    *code
	launch  *launch
	shape   shape
	n, nw   int // lanes, and words of laneBits in use
	ptr     []unsafe.Pointer
	scratch [scratches]unsafe.Pointer
	arena   *arena

	// The active lanes: bits and count always; lo and idx as in setActive.
	bits   laneBits
	count  int
	lo     int
	idx    []uint32
	idxBuf [maxLanes]uint32
	pc     int

	all    laneBits // every lane of the block
	live   laneBits // those that have not exited
	groups []group  // waiting to run, ascending by pc
	parked []parking
	bars   [16]barrier
	barred bool // one of bars was used
	streak int  // basic blocks run since the lowest group was chosen
	boost  int  // basic blocks for which a starved group may run on

	fault *Fault
	// carried is set once a load has flagged what nothing wrote; origins are, by load, the lanes' addresses then.
	carried bool
	origins [][]uint64

	sites []segment
	// consecutive is what the race check of an access found of the lanes' addresses.
	consecutive bool
	shared      []byte
	sharedInit  []byte
	races       raceState
	async       asyncState
	held        []progress // by warp group, where wgmma instructions are followed
	local       []byte
	localInit   []byte
	stride      int     // of a lane's local memory
	stacks      *stacks // nil where no function has frames
	calls       []int32 // return addresses, callRoom a lane; of functions with frames the call sites
	callRoom    int
	depth       []int32 // how many of them are in use
	ctaid       Dim3
	cluster     clusterState
	linear      uint64 // index of the block in its grid
	clock       uint64
	repeat      repeat
	polls       int // reads such as a spinning loop makes
	wait        waiting
	changes     uint64 // of memory, and barriers passed

	blockRuns []uint64 // lanes that ran each basic block
	stats     *Counters
}

type status uint8

const (
	statusDone status = iota
	statusYield
	statusFault
	statusWait // for other blocks of the cluster
)

// reset makes the block ready for a thread block.
func (b *block) reset(linear uint64, ctaid Dim3) {
	clear(b.arena.zeroed)
	b.linear, b.ctaid = linear, ctaid
	b.live = b.all
	b.groups, b.parked = b.groups[:0], b.parked[:0]
	if b.barred {
		b.bars, b.barred = [16]barrier{}, false
	}
	b.streak, b.boost, b.polls, b.clock, b.wait = 0, 0, 0, 0, waiting{}
	b.fault, b.carried, b.repeat = nil, false, repeat{}
	clear(b.shared)
	clear(b.sharedInit)
	clear(b.localInit)
	clear(b.depth)
	b.stacks.reset()
	b.resetSites()
	b.resetRaces()
	b.resetAsync()
	b.resetHeld()
	b.fillSpecials(b.code.ofBlock)
	b.pc = b.code.entry
	b.setActive(&b.all)
}

// stopLook is how many basic blocks a block runs between two looks at whether its launch was ended.
const stopLook = 1 << 7

// run goes on for about budget basic blocks.
func (b *block) run(budget int) status {
	for ; budget > 0; budget-- {
		if budget%stopLook == 0 && b.launch.stop.Load() {
			return statusYield
		}
		if b.count == 0 && !b.next() {
			switch {
			case b.fault != nil:
				return statusFault
			case len(b.cluster.waits) > 0:
				return statusWait
			}
			return statusDone
		}
		bb := &b.code.blocks[b.pc]
		b.blockRuns[b.pc] += uint64(b.count)
		for i, s := range bb.steps {
			s(b)
			if b.fault != nil {
				b.placeFault(bb.from[i])
				return statusFault
			}
		}
		bb.end(b)
		if b.fault != nil {
			b.placeFault(bb.endIn)
			return statusFault
		}
		if len(b.groups) > 0 && b.count > 0 {
			b.schedule()
		}
	}
	return statusYield
}

// jump sends all active lanes to a basic block.
func jump(target int) terminator {
	return func(b *block) { b.pc = target }
}

// branch sends the active lanes whose predicate holds to target, the others to next.
func branch(p slot, negate bool, target, next int) terminator {
	return func(b *block) {
		taken := b.predicates(p, negate)
		switch {
		case taken == b.bits:
			b.pc = target
		case taken.empty():
			b.pc = next
		default:
			rest := b.bits
			rest.minus(&taken)
			b.addGroup(target, &taken)
			b.addGroup(next, &rest)
			b.clearActive()
			b.next()
			if b.stats != nil {
				b.stats.Divergences++
			}
		}
	}
}

// exit ends the active lanes.
func exit(b *block) {
	b.live.minus(&b.bits)
	b.clearActive()
	b.progress()
	b.checkBarriers()
	b.checkParked()
	if b.cluster.of != nil {
		b.exitCluster()
	}
}

func (b *block) clearActive() {
	b.bits, b.count, b.idx = laneBits{}, 0, nil
}

// progress notes that something changed which others may wait for.
func (b *block) progress() { b.changes++ }
