package vm

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Most functions have one place for their variables, since they never are at work twice in a lane. Those
// that call each other in a circle get a frame on the lane's stack at each call: variables are addressed
// from where that begins, arguments and results are copied, and the registers that the caller needs
// afterwards are kept beside the stack, where no address reaches them.
//
// Lanes at different depths run together where they are at the same instruction, as all that differs
// between them is theirs: registers, where the frame begins, and what they have kept.

// defaultStack is the stack of a thread in bytes, unless the context's limit says otherwise.
const defaultStack = 1024

// frame is a function that has one for each call.
type frame struct {
	name            string
	pc, end         int // its basic blocks
	size, align     int
	params, results []location
	vars            []placed
	charge          int // what its variables take of the stack on a device
}

// location is a variable in a lane's local memory: at a place of its own, or from the beginning of the frame.
type location struct {
	at, size int
	framed   bool
}

// callSite is a call of a function with a frame.
type callSite struct {
	index         int
	next          int
	args, results []location
	kept          []keptSlot
	bytes         int // of what is kept
}

// keptSlot is a register that lives across a call, and where it is kept.
type keptSlot struct{ slot, width, at int }

// keptTop is where the caller's end of the stack is kept: before its registers.
const keptTop = 8

// cost is what a call takes of the stack on a device: the registers that are kept, the variables of the callee, and
// 16 bytes for the way back. Frames that ptxas makes have this size.
func (s *callSite) cost(f *frame) uint64 { return uint64(alignUp(s.bytes-keptTop+8+f.charge, 8)) }

// newFrame notes that a function has frames.
func (c *compiler) newFrame(f *ptx.Function) {
	r := &frame{name: f.Name, align: 16}
	c.framed[f] = r
	c.code.framed = append(c.code.framed, r)
}

// framesByAddress reports whether functions that are called by address have frames: either all have or none.
func (c *compiler) framesByAddress() bool {
	return slices.ContainsFunc(c.program.addressTaken(), func(f *ptx.Function) bool { return c.framed[f] != nil })
}

// layoutFrame gives the variables of a function their places in its frame, those apart that are the
// arguments and results of functions without one.
func (c *compiler) layoutFrame(f *ptx.Function) {
	r := c.framed[f]
	place := func(v *ptx.Variable) location {
		at := alignUp(r.size, max(v.Align, 1))
		c.inFrame[v] = at
		r.size, r.align = at+v.Size, max(r.align, v.Align)
		r.vars = append(r.vars, placed{v, at})
		return location{at, v.Size, true}
	}
	for _, v := range f.Params {
		r.params = append(r.params, place(v))
	}
	for _, v := range f.Results {
		r.results = append(r.results, place(v))
	}
	for _, v := range f.Locals {
		if _, joined := c.frames[v]; !joined && (v.Space == ptx.Local || v.Space == ptx.Param) {
			place(v)
			if v.Space == ptx.Local {
				r.charge += v.Size
			}
		}
	}
	r.size = alignUp(r.size, 16)
}

// placeOf gives where a variable of the current function lies.
func (c *compiler) placeOf(v *ptx.Variable) location {
	if at, ok := c.inFrame[v]; ok {
		return location{at, v.Size, true}
	}
	return location{c.frames[v], v.Size, false}
}

// framePointer gives the slot that says where each lane's frame begins in its local memory.
func (c *compiler) framePointer() slot {
	const name = "frame"
	s, ok := c.special[name]
	if !ok {
		s = c.newSlots(8, 1)
		c.special[name], c.code.framePointer = s, s
	}
	return s
}

// frameAddress gives the address of a variable in the current function's frame, in the window of its state
// space where generic.
func (c *compiler) frameAddress(v *ptx.Variable, offset uint64) slot {
	fp, s := c.framePointer(), c.temp(8)
	offset += uint64(c.inFrame[v])
	c.emit(func(b *block) {
		o := out[uint64](b, s)
		map1(o, in[uint64](b, fp, 0), func(x uint64) uint64 { return x + offset })
		put(b, s, o)
	})
	return s
}

// callFramed calls a function that has a frame for each call.
func (c *compiler) callFramed(f *frame, results, args []ptx.Operand) {
	s := c.site(results, args)
	c.end = func(b *block) {
		if b.enter(s, f) {
			b.pc = f.pc
		}
	}
}

// site makes what a call of the current function needs at run time.
func (c *compiler) site(results, args []ptx.Operand) *callSite {
	s := &callSite{index: len(c.code.callSites), next: c.next, bytes: keptTop}
	for _, v := range variables(args) {
		s.args = append(s.args, c.placeOf(v))
	}
	for _, v := range variables(results) {
		s.results = append(s.results, c.placeOf(v))
	}
	keep := func(k slot) {
		w := c.width(k)
		s.kept = append(s.kept, keptSlot{int(k), w, s.bytes})
		s.bytes += w
	}
	keep(c.framePointer())
	if c.framed[c.graph.fn] != nil {
		c.graph.eachLiveBehind(c.index, func(r *ptx.Register) {
			for i := range max(r.Vector, 1) {
				keep(c.regs[r.Index] + slot(i))
			}
			if flag, ok := c.flags[r]; ok {
				keep(flag)
			}
		})
	}
	c.code.callSites = append(c.code.callSites, s)
	return s
}

// eachLiveBehind calls f for the registers that are read behind instruction k, the last of its span.
func (g *graph) eachLiveBehind(k int, f func(r *ptx.Register)) {
	live := g.liveOut[g.at[k]]
	for i, r := range g.fn.Regs {
		if live.has(i) {
			f(r)
		}
	}
}

// stacks are the lanes' stacks, in local memory behind what has a place of its own, and what is kept
// beside them.
type stacks struct {
	base int      // of all stacks, in a lane's local memory
	top  []uint64 // by lane: where its stack ends
	used []uint64 // by lane: what that counts for on a device
	kept []byte
	room int   // of kept, by lane
	ends []int // by lane, of what is kept
}

func newStacks(c *code, n int) *stacks {
	const room = 256
	s := &stacks{base: alignUp(c.localBytes, 16), top: make([]uint64, n), used: make([]uint64, n), ends: make([]int, n)}
	s.room, s.kept = room, make([]byte, n*room)
	return s
}

func (s *stacks) reset() {
	if s == nil {
		return
	}
	for i := range s.top {
		s.top[i] = uint64(s.base)
	}
	clear(s.used)
	clear(s.ends)
}

// localEnd is where a lane's local memory ends.
func (b *block) localEnd(l int) int {
	if b.stacks != nil {
		return int(b.stacks.top[l])
	}
	return b.code.localBytes
}

// enter makes frames for the active lanes. It answers false where a stack is too small.
func (b *block) enter(s *callSite, f *frame) bool {
	k := b.stacks
	cost := s.cost(f)
	var over laneBits
	for i := range b.count {
		if l := b.lane(i); k.used[l]+cost > b.launch.StackBytes {
			over.add(l)
		}
	}
	if !over.empty() {
		b.overflow(&over, f, cost)
		return false
	}
	b.reserve(s, f)
	fp := view[uint64](b, b.code.framePointer)
	for i := range b.count {
		l := b.lane(i)
		b.keep(s, l)
		base := alignUp(int(k.top[l]), f.align)
		if b.localInit != nil {
			clear(b.localOf(b.localInit, l)[base : base+f.size])
		}
		for n := range s.args {
			b.pass(l, s.args[n].in(fp[l]), base+f.params[n].at, min(s.args[n].size, f.params[n].size))
		}
		fp[l], k.top[l] = uint64(base), uint64(base+f.size)
		k.used[l] += cost
	}
	return true
}

func (f location) in(frame uint64) int {
	if f.framed {
		return int(frame) + f.at
	}
	return f.at
}

// overflow says whose stack is too small for a call.
func (b *block) overflow(lanes *laneBits, f *frame, cost uint64) {
	l := first(lanes)
	b.raise(driver.FaultStackOverflow, lanes, fmt.Sprintf("a call of %s, the %d. on the thread's stack, needs %d bytes "+
		"where %d of %d are in use; the limit is cuCtxSetLimit's CU_LIMIT_STACK_SIZE, Device.SetStackSize",
		driver.KernelName(f.name), b.depth[l]+1, cost, b.stacks.used[l], b.launch.StackBytes))
}

// reserve makes room for a call in all that grows with the depth.
func (b *block) reserve(s *callSite, f *frame) {
	k := b.stacks
	var top uint64
	var ends int
	var depth int32
	for i := range b.count {
		l := b.lane(i)
		top, ends, depth = max(top, k.top[l]), max(ends, k.ends[l]), max(depth, b.depth[l])
	}
	if need := alignUp(int(top), f.align) + f.size; need > b.stride {
		stride := max(alignUp(need, 16), 2*b.stride)
		b.local = respaced(b.local, b.stride, stride, b.n, 0)
		if b.localInit != nil {
			b.localInit = respaced(b.localInit, b.stride, stride, b.n, 16)
		}
		b.stride = stride
		clear(b.sites)
	}
	if need := ends + s.bytes; need > k.room {
		room := max(alignUp(need, 16), 2*k.room)
		k.kept = respaced(k.kept, k.room, room, b.n, 0)
		k.room = room
	}
	b.roomForCall(int(depth))
}

// roomForCalls makes room for one more return address of the active lanes.
func (b *block) roomForCalls() {
	var depth int32
	for i := range b.count {
		depth = max(depth, b.depth[b.lane(i)])
	}
	b.roomForCall(int(depth))
}

// respaced copies what each of n lanes has of a slice to another with more room for each.
func respaced(old []byte, from, to, n, spare int) []byte {
	s := alignedBytes(n*to + spare)
	for l := range n {
		copy(s[l*to:l*to+to], old[l*from:l*from+from])
	}
	return s
}

// roomForCall makes room for one more return address of lanes that are so deep.
func (b *block) roomForCall(depth int) {
	if depth < b.callRoom {
		return
	}
	room := max(8, 2*b.callRoom)
	calls := make([]int32, b.n*room)
	for l := range b.n {
		copy(calls[l*room:l*room+room], b.calls[l*b.callRoom:(l+1)*b.callRoom])
	}
	b.calls, b.callRoom = calls, room
}

func (b *block) localOf(mem []byte, l int) []byte { return mem[l*b.stride : (l+1)*b.stride] }

// keep puts away what a lane's caller needs afterwards.
func (b *block) keep(s *callSite, l int) {
	k := b.stacks
	to := k.kept[l*k.room+k.ends[l]:][:s.bytes]
	binary.LittleEndian.PutUint64(to, k.top[l])
	for _, r := range s.kept {
		copy(to[r.at:r.at+r.width], viewBytes(b, slot(r.slot), r.width)[l*r.width:])
	}
	k.ends[l] += s.bytes
	b.calls[l*b.callRoom+int(b.depth[l])] = int32(s.index)
	b.depth[l]++
}

// pass copies an argument or a result within a lane's local memory.
func (b *block) pass(l, from, to, n int) {
	mem := b.localOf(b.local, l)
	copy(mem[to:to+n], mem[from:from+n])
	if b.localInit != nil {
		mem = b.localOf(b.localInit, l)
		copy(mem[to:to+n], mem[from:from+n])
	}
}

// leave is ret of a function with frames.
func (f *frame) leave(b *block) {
	sets := map[int]*laneBits{}
	for i := range b.count {
		l := b.lane(i)
		to := b.comeBack(f, l)
		if sets[to] == nil {
			sets[to] = &laneBits{}
		}
		sets[to].add(l)
	}
	b.scatter(sets)
}

// comeBack takes a lane back to its caller.
func (b *block) comeBack(f *frame, l int) (next int) {
	k, fp := b.stacks, view[uint64](b, b.code.framePointer)
	b.depth[l]--
	s := b.code.callSites[b.calls[l*b.callRoom+int(b.depth[l])]]
	base := int(fp[l])
	k.ends[l] -= s.bytes
	from := k.kept[l*k.room+k.ends[l]:][:s.bytes]
	k.top[l] = binary.LittleEndian.Uint64(from)
	for _, r := range s.kept {
		copy(viewBytes(b, slot(r.slot), r.width)[l*r.width:][:r.width], from[r.at:])
	}
	for n := range s.results {
		b.pass(l, base+f.results[n].at, s.results[n].in(fp[l]), min(s.results[n].size, f.results[n].size))
	}
	k.used[l] -= s.cost(f)
	return s.next
}

// scatter sends sets of lanes to where they go on, by basic block.
func (b *block) scatter(sets map[int]*laneBits) {
	if len(sets) == 1 {
		for to := range sets {
			b.pc = to
		}
		return
	}
	b.clearActive()
	for _, to := range slices.Sorted(maps.Keys(sets)) {
		b.addGroup(to, sets[to])
	}
}

// callFramedIndirect calls through an address functions that have frames.
func (c *compiler) callFramedIndirect(addr slot, results, args []ptx.Operand) {
	s := c.site(results, args)
	c.end = func(b *block) {
		targets := b.targets(view[uint64](b, addr))
		if b.fault != nil {
			return
		}
		all := b.bits
		for _, pc := range slices.Sorted(maps.Keys(targets)) {
			f := b.code.frameAt(pc)
			if !s.fits(f) {
				b.raise(driver.FaultBadCall, targets[pc], fmt.Sprintf("an indirect call of %s with other arguments or results "+
					"than it has", driver.KernelName(f.name)))
				return
			}
			b.setActive(targets[pc])
			if !b.enter(s, f) {
				return
			}
		}
		b.setActive(&all)
		b.scatter(targets)
	}
}

// fits reports whether a call passes and takes what the function does.
func (s *callSite) fits(f *frame) bool {
	same := func(x, y location) bool { return x.size == y.size }
	return slices.EqualFunc(s.args, f.params, same) && slices.EqualFunc(s.results, f.results, same)
}

// frameAt gives the function with frames that a basic block is part of, or nil.
func (c *code) frameAt(pc int) *frame {
	for _, f := range c.framed {
		if pc >= f.pc && pc < f.end {
			return f
		}
	}
	return nil
}

// describeStack names the variable of the lane's frame that an access hit or came after.
func (b *block) describeStack(f *Fault, addr uint64) {
	if len(f.Lanes) == 0 {
		return
	}
	l := b.laneOf(f.Lanes[0])
	base := view[uint64](b, b.code.framePointer)[l]
	r := b.code.frameAt(b.pc)
	switch {
	case addr >= b.stacks.top[l]:
		f.Detail = fmt.Sprintf("the address is %d bytes past the end of the thread's stack, as of a variable of a function "+
			"that has returned", addr-b.stacks.top[l])
	case r == nil || addr < base:
		f.Detail = fmt.Sprintf("the address is %d bytes into the thread's stack, in a caller's variables",
			addr-uint64(b.stacks.base))
	default:
		b.describePlaced(f, r.vars, addr-base)
	}
}

// laneOf gives the lane of a thread of the block.
func (b *block) laneOf(t Dim3) int {
	d := b.launch.Block
	return int(t.X + d.X*(t.Y+d.Y*t.Z))
}
