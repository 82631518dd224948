package vm

import (
	"fmt"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

func alignUp(n, a int) int { return (n + a - 1) &^ (a - 1) }

// layoutLocals gives the variables of a function's body their offsets: shared
// ones in the block's memory, .local and .param ones in each lane's.
func (c *compiler) layoutLocals(f *ptx.Function) {
	if f != c.entry && c.framed[f] == nil {
		if c.calledByAddress(f) {
			c.shareParams(f.Params, c.indirect)
			c.shareParams(f.Results, c.indirect+maxIndirect)
		}
		for _, list := range [][]*ptx.Variable{f.Params, f.Results} {
			for _, v := range list {
				c.placeLocal(v)
			}
		}
	}
	for i := range f.Code {
		if f.Code[i].Op == "call" {
			c.joinParams(&f.Code[i])
		}
		for k := range f.Code[i].Operands {
			c.placeOperand(&f.Code[i].Operands[k])
		}
	}
	for _, v := range f.Locals {
		switch {
		case v.Space == ptx.Shared:
			c.placeShared(v)
		case c.framed[f] == nil && (v.Space == ptx.Local || v.Space == ptx.Param):
			c.placeLocal(v)
		}
	}
	if c.framed[f] != nil {
		c.layoutFrame(f)
	}
}

func (c *compiler) placeOperand(o *ptx.Operand) {
	for i := range o.Elems {
		c.placeOperand(&o.Elems[i])
	}
	switch {
	case o.Kind == ptx.OpVar && o.Var.Space == ptx.Shared:
		c.placeShared(o.Var)
	case o.Kind == ptx.OpSpecial && o.Name == reservedOffset:
		c.placeShared(reservedShared)
	}
}

// reservedShared is the shared memory that the system keeps for libraries, where
// code asks for it by its offset.
var reservedShared = &ptx.Variable{Name: "reserved shared memory", Space: ptx.Shared, Type: ptx.B8, Vector: 1, Align: 16, Size: 1024, Dims: []int{1024}}

const reservedOffset = "%reserved_smem_offset_1"

func (c *compiler) placeLocal(v *ptx.Variable) {
	if _, done := c.frames[v]; done {
		return
	}
	at := alignUp(c.code.localBytes, max(v.Align, 1))
	c.frames[v] = at
	c.code.localBytes = at + v.Size
	c.code.localVars = append(c.code.localVars, placed{v, at})
}

func (c *compiler) placeShared(v *ptx.Variable) {
	if v.Unsized() {
		c.dynamicAlign = max(c.dynamicAlign, v.Align)
	}
	if _, done := c.shared[v]; done || v.Unsized() || v.Linkage == ptx.Extern && v.Size == 0 {
		return
	}
	at := alignUp(c.code.sharedBytes, max(v.Align, 1))
	c.shared[v] = at
	c.code.sharedBytes = at + v.Size
	c.code.sharedVars = append(c.code.sharedVars, placed{v, at})
}

// finishShared places dynamic shared memory behind what has a size, aligned as its names are.
func (c *compiler) finishShared() {
	c.code.dynamicBase = alignUp(c.code.sharedBytes, max(c.dynamicAlign, 16))
}

// joinParams makes the caller's argument and result variables the very memory of
// the callee's: one place serves both, but where the callee has frames.
func (c *compiler) joinParams(in *ptx.Instruction) {
	results, callee, args := splitCall(in)
	if callee.Kind != ptx.OpFunc {
		if c.framesByAddress() {
			return
		}
		c.takenFunctions()
		c.shareParams(variables(args), c.indirect)
		c.shareParams(variables(results), c.indirect+maxIndirect)
		return
	}
	formal := c.program.Module.Alias(callee.Func)
	if c.framed[formal] != nil {
		return
	}
	c.join(args, formal.Params)
	c.join(results, formal.Results)
}

// maxIndirect is the most bytes of arguments, and of results, of functions that
// are called through their address. All those share one place for each, laid out
// by the sizes in order, so that caller and callee agree without knowing another.
const maxIndirect = 512

// takenFunctions gives the functions whose address is taken, and reserves the place
// of their parameters when there are any.
func (c *compiler) takenFunctions() map[*ptx.Function]bool {
	if c.taken == nil {
		c.taken = map[*ptx.Function]bool{}
		for _, f := range c.program.addressTaken() {
			c.taken[f] = true
		}
		c.indirect = alignUp(c.code.localBytes, 16)
		c.code.localBytes = c.indirect + 2*maxIndirect
	}
	return c.taken
}

// calledByAddress reports whether a function's address is taken.
func (c *compiler) calledByAddress(f *ptx.Function) bool {
	return slices.Contains(c.program.addressTaken(), f) && c.takenFunctions()[f]
}

func variables(list []ptx.Operand) []*ptx.Variable {
	var out []*ptx.Variable
	for i := range list {
		if list[i].Kind == ptx.OpVar {
			out = append(out, list[i].Var)
		}
	}
	return out
}

// shareParams lays variables out from base on.
func (c *compiler) shareParams(list []*ptx.Variable, base int) {
	at := base
	for _, v := range list {
		at = alignUp(at, max(v.Align, 1))
		if _, done := c.frames[v]; !done {
			c.frames[v] = at
		}
		at += v.Size
	}
	c.tooLarge = c.tooLarge || at > base+maxIndirect
}

func (c *compiler) join(actual []ptx.Operand, formal []*ptx.Variable) {
	for i := range actual {
		if i < len(formal) && actual[i].Kind == ptx.OpVar {
			c.placeLocal(formal[i])
			if _, done := c.frames[actual[i].Var]; !done {
				c.frames[actual[i].Var] = c.frames[formal[i]]
			}
		}
	}
}

// splitCall takes the operands of a call apart.
func splitCall(in *ptx.Instruction) (results []ptx.Operand, callee *ptx.Operand, args []ptx.Operand) {
	ops := in.Operands
	i := 0
	if ops[0].Kind == ptx.OpList {
		results, i = ops[0].Elems, 1
	}
	callee = &in.Operands[min(i, len(ops)-1)]
	if i+1 < len(ops) && ops[i+1].Kind == ptx.OpList {
		args = ops[i+1].Elems
	}
	return results, callee, args
}

// address gives the address of a variable in its own state space.
func (c *compiler) address(v *ptx.Variable) (uint64, error) {
	switch v.Space {
	case ptx.Global, ptx.Const:
		if c.program.vars[v] == nil {
			if err := c.program.place(v); err != nil {
				return 0, err
			}
		}
		if a := c.program.vars[v]; a != nil {
			return a.Base, nil
		}
		return 0, &LinkError{c.program.Module.Name, v.Name, "the variable is extern and no module that defines it is loaded with this one", c.in.Pos.Line}
	case ptx.Shared:
		if at, ok := c.shared[v]; ok {
			return uint64(at), nil
		}
		return uint64(c.code.dynamicBase), nil
	case ptx.Local, ptx.Param:
		if at, ok := c.frames[v]; ok {
			return uint64(at), nil
		}
		return uint64(v.Offset), nil
	}
	return 0, c.refuse("variables of space ." + v.Space.String() + " have no address here")
}

// kernelParam reports whether a variable is a parameter of the kernel, which lies in
// the launch's parameter block.
func (c *compiler) kernelParam(v *ptx.Variable) bool {
	_, local := c.frames[v]
	_, framed := c.inFrame[v]
	return v.Space == ptx.Param && !local && !framed
}

func buildCall(c *compiler) error {
	results, callee, args := splitCall(c.in)
	for _, list := range [][]ptx.Operand{results, args} {
		for i := range list {
			if list[i].Kind != ptx.OpVar {
				return c.refuse("arguments and results of calls are .param variables")
			}
		}
	}
	if callee.Kind != ptx.OpFunc && callee.Kind != ptx.OpReg {
		return c.wrong("what is called is neither a function nor an address in a register")
	}
	if callee.Kind != ptx.OpFunc {
		return c.indirectCall(callee, results, args)
	}
	f := c.program.Module.Alias(callee.Func)
	if len(args) != len(f.Params) || len(results) != len(f.Results) {
		return c.refuse(fmt.Sprintf("%s takes %d arguments and gives %d results, not %d and %d", f.Name, len(f.Params), len(f.Results), len(args), len(results)))
	}
	if build := builtins[f.Name]; build != nil && !f.Defined {
		return build(c, f)
	}
	if r := c.framed[f]; r != nil {
		c.callFramed(r, results, args)
		return nil
	}
	target, next := c.code.functions[c.program.numbers[f]], c.next
	c.end = func(b *block) {
		b.pushReturn(next)
		b.pc = target
	}
	return nil
}

func (b *block) pushReturn(next int) {
	if b.stacks != nil {
		b.roomForCalls()
	}
	d := b.callRoom
	for i := range b.count {
		l := b.lane(i)
		b.calls[l*d+int(b.depth[l])] = int32(next)
		b.depth[l]++
	}
}

// indirectCall calls through an address. All functions whose address is taken
// share the places of their parameters, unless they have frames.
func (c *compiler) indirectCall(callee *ptx.Operand, results, args []ptx.Operand) error {
	if c.tooLarge {
		return c.refuse(fmt.Sprintf("functions that are called by address take or give more than %d bytes", maxIndirect))
	}
	s, err := c.value(callee, ptx.U64)
	if err != nil {
		return err
	}
	if c.framesByAddress() {
		c.callFramedIndirect(s, results, args)
		return nil
	}
	next := c.next
	c.end = func(b *block) {
		targets := b.targets(view[uint64](b, s))
		if b.fault == nil {
			b.pushReturn(next)
			b.scatter(targets)
		}
	}
	return nil
}

// targets gives the active lanes by the basic block of what they call. Where one calls no function that is
// a fault.
func (b *block) targets(addrs []uint64) map[int]*laneBits {
	targets := map[int]*laneBits{}
	var bad laneBits
	b.bits.each(func(l int) {
		t, ok := b.code.functions[int((addrs[l]-codeWindow)/16)]
		if !ok || addrs[l] < codeWindow || addrs[l]%16 != 0 {
			bad.add(l)
			return
		}
		if targets[t] == nil {
			targets[t] = &laneBits{}
		}
		targets[t].add(l)
	})
	if !bad.empty() {
		where := fmt.Sprintf("of 0x%x, where no function is", addrs[first(&bad)])
		if addrs[first(&bad)] == 0 {
			where = "of null"
		}
		b.raise(driver.FaultBadCall, &bad, "an indirect call "+where)
	}
	return targets
}

// returnEnd is ret: out of the kernel, or back to each lane's caller.
func (c *compiler) returnEnd() terminator {
	if c.graph.fn == c.entry {
		return exit
	}
	if r := c.framed[c.graph.fn]; r != nil {
		return r.leave
	}
	return func(b *block) {
		d := b.callRoom
		first := -1
		same := true
		for i := range b.count {
			l := b.lane(i)
			b.depth[l]--
			to := int(b.calls[l*d+int(b.depth[l])])
			if first < 0 {
				first = to
			}
			same = same && to == first
		}
		if same {
			b.pc = first
			return
		}
		b.scatterReturn()
	}
}

func (b *block) scatterReturn() {
	d := b.callRoom
	sets := map[int]*laneBits{}
	b.bits.each(func(l int) {
		to := int(b.calls[l*d+int(b.depth[l])])
		if sets[to] == nil {
			sets[to] = &laneBits{}
		}
		sets[to].add(l)
	})
	b.scatter(sets)
}
