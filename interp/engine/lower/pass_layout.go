package lower

import (
	"go/constant"
	"go/types"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// layout gives each SSA value of a function its slot. In order: header, parameters and results,
// captured variables, values with pointers (up to here a released frame is cleared), constants,
// values without pointers, temporaries.
type layout struct {
	machine.Area
	holders  map[uintptr]int        // by slot, of values that hold pointers: number in ranges
	ranges   []machine.PointerRange // which of ptrs are a slot's
	scratch  []uintptr              // pointers in temporaries
	slots    map[ssa.Value]uintptr
	parts    map[ssa.Value][]part
	memory   map[*ssa.Alloc]uintptr // variables that live in the frame
	consts   map[constKey]uintptr
	initial  []initialValue
	alias    map[ssa.Value]ssa.Value        // values that share the slot of another (pass_coalesce.go)
	folded   map[ssa.Value]bool             // values that have no slot (pass_fold.go)
	appended map[*ssa.Call]ssa.Value        // what append appends alone (op_append.go)
	skipped  map[ssa.Instruction]bool       // what has no op because of that
	updates  map[ssa.Instruction]*ssa.BinOp // stores that do an operation and its load too (op_update.go)
}

// A part is one component of a tuple value; parts that nothing extracts have no slot.
type part struct {
	at   uintptr
	typ  *typ
	used bool
}

type constKey struct {
	typ *typ
	val any
}

// An initialValue is what a slot holds in every new frame: a constant, the address of a global, a
// func value.
type initialValue struct {
	machine.Slot
	from pointer
}

// hold reserves memory for one value that may hold pointers, and notes where.
func (l *layout) hold(t *typ) uintptr {
	n := len(l.Pointers)
	o := l.Add(t)
	l.holds(o, n)
	return o
}

// holds notes that the pointers from number n on are those of a slot.
func (l *layout) holds(slot uintptr, n int) {
	if n < len(l.Pointers) {
		l.holders[slot] = len(l.ranges)
		l.ranges = append(l.ranges, machine.PointerRange{From: n, To: len(l.Pointers)})
	}
}

// signature lays out parameters and results; recv, if not nil, is the first parameter.
func (u *unit) signature(recv *typ, sig *types.Signature) *machine.Signature {
	s := &machine.Signature{}
	l := machine.Area{Size: machine.HeaderSize}
	if recv != nil {
		s.Params = append(s.Params, machine.Slot{At: l.Add(recv), Type: recv})
	}
	for v := range sig.Params().Variables() {
		t := u.typ(v.Type())
		s.Params = append(s.Params, machine.Slot{At: l.Add(t), Type: t})
	}
	for v := range sig.Results().Variables() {
		t := u.typ(v.Type())
		s.Results = append(s.Results, machine.Slot{At: l.Add(t), Type: t})
	}
	s.Size, s.Pointers = l.Size, len(l.Pointers) > 0
	return s
}

// arrange decides all slots of c.fn. Values that hold pointers come first, then constants, then the
// others.
func (c *compiler) arrange() {
	fn := c.fn
	c.code.Signature = c.functionSignature()
	c.Size = c.code.Signature.Size
	for i, p := range fn.Params {
		s := c.code.Signature.Params[i]
		c.slots[p] = s.At
		n := len(c.Pointers)
		c.Pointers = rtype.PointerOffsets(c.Pointers, s.Type.Reflect, s.At)
		c.holds(s.At, n)
	}
	for _, s := range c.code.Signature.Results {
		c.Pointers = rtype.PointerOffsets(c.Pointers, s.Type.Reflect, s.At)
	}
	for _, v := range fn.FreeVars {
		t := c.typ(v.Type())
		s := machine.Slot{At: c.hold(t), Type: t}
		c.slots[v] = s.At
		c.code.Captures = append(c.code.Captures, s)
	}
	c.coalesce()
	var plain []func()
	reserve := func(t *typ, set func(uintptr)) {
		if t.HasPointers {
			set(c.hold(t))
			return
		}
		plain = append(plain, func() { set(c.Add(t)) })
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			c.reserve(in, reserve)
		}
	}
	if len(c.Pointers) > 0 {
		c.clearing()
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			c.constants(in)
		}
	}
	for _, f := range plain {
		f()
	}
	for v, shared := range c.alias {
		c.slots[v] = c.slots[shared]
	}
}

// functionSignature treats a receiver as the first parameter, as go/ssa does.
func (c *compiler) functionSignature() *machine.Signature {
	var recv *typ
	if len(c.fn.Params) > c.fn.Signature.Params().Len() {
		recv = c.typ(c.fn.Params[0].Type())
	}
	return c.unit.signature(recv, c.fn.Signature)
}

// reserve asks for the slots that an instruction's results need.
func (c *compiler) reserve(in ssa.Instruction, reserve func(*typ, func(uintptr))) {
	v, ok := in.(ssa.Value)
	if !ok {
		return
	}
	if _, ok := c.alias[v]; ok || c.folded[v] {
		return
	}
	if ts := c.tuple(v); ts != nil {
		c.reserveParts(v, ts, reserve)
		return
	}
	if _, ok := v.(*ssa.Extract); ok { // it reads its part of the tuple where that lies
		return
	}
	if call, ok := v.(*ssa.Call); ok && isEmptyTuple(call.Type()) {
		return
	}
	reserve(c.typ(v.Type()), func(o uintptr) { c.slots[v] = o })
	if a, ok := v.(*ssa.Alloc); ok && !a.Heap {
		reserve(c.elem(a.Type()), func(o uintptr) { c.memory[a] = o })
	}
}

func isEmptyTuple(t types.Type) bool {
	tup, ok := t.(*types.Tuple)
	return ok && tup.Len() == 0
}

// elem is the type that a pointer type points to.
func (c *compiler) elem(t types.Type) *typ {
	return c.typ(t.Underlying().(*types.Pointer).Elem())
}

// tuple returns the components of a tuple-valued instruction, nil for others.
func (c *compiler) tuple(v ssa.Value) []*typ {
	if n, ok := v.(*ssa.Next); ok {
		if n.IsString {
			return []*typ{machine.BoolType, machine.IntType, machine.RuneType}
		}
		m := n.Iter.(*ssa.Range).X.Type().Underlying().(*types.Map)
		return []*typ{machine.BoolType, c.typ(m.Key()), c.typ(m.Elem())}
	}
	tup, ok := v.Type().(*types.Tuple)
	if !ok || tup.Len() == 0 {
		return nil
	}
	ts := make([]*typ, tup.Len())
	for i := range ts {
		ts[i] = c.typ(tup.At(i).Type())
	}
	return ts
}

func (c *compiler) reserveParts(v ssa.Value, ts []*typ, reserve func(*typ, func(uintptr))) {
	parts := make([]part, len(ts))
	var extracts [][]*ssa.Extract = make([][]*ssa.Extract, len(ts))
	for _, r := range *v.Referrers() {
		if x, ok := r.(*ssa.Extract); ok {
			extracts[x.Index] = append(extracts[x.Index], x)
		}
	}
	for i, t := range ts {
		parts[i].typ = t
		if len(extracts[i]) == 0 {
			continue
		}
		parts[i].used = true
		reserve(t, func(o uintptr) {
			parts[i].at = o
			for _, x := range extracts[i] {
				c.slots[x] = o
			}
		})
	}
	c.parts[v] = parts
}

// constants gives slots to the constants, globals and functions among the operands.
func (c *compiler) constants(in ssa.Instruction) {
	var buf [8]*ssa.Value
	for _, o := range in.Operands(buf[:0]) {
		switch v := (*o).(type) {
		case *ssa.Const:
			c.constant(v)
		case *ssa.Global:
			c.initialPointer(v, c.unit.Global(v))
		case *ssa.Function:
			if isCallee(in, v) {
				continue
			}
			c.initialPointer(v, c.unit.funcValue(v))
		}
	}
}

// isCallee reports whether in uses f only as what it calls or closes over.
func isCallee(in ssa.Instruction, f *ssa.Function) bool {
	if m, ok := in.(*ssa.MakeClosure); ok {
		return m.Fn == ssa.Value(f)
	}
	call, ok := in.(ssa.CallInstruction)
	if !ok || call.Common().Value != ssa.Value(f) {
		return false
	}
	return !slices.Contains(call.Common().Args, ssa.Value(f))
}

func (c *compiler) constant(v *ssa.Const) {
	t := c.typ(v.Type())
	key := constKey{t, v.Value}
	o, ok := c.consts[key]
	if !ok {
		o = c.Add(t)
		c.consts[key] = o
		if v.Value != nil {
			c.initial = append(c.initial, initialValue{machine.Slot{At: o, Type: t}, constantMemory(t, v.Value)})
		}
	}
	c.slots[v] = o
}

func (c *compiler) initialPointer(v ssa.Value, p pointer) {
	if _, ok := c.slots[v]; ok {
		return
	}
	o := c.Add(machine.PointerType)
	w := new(pointer)
	*w = p
	c.initial = append(c.initial, initialValue{machine.Slot{At: o, Type: machine.PointerType}, pointer(w)})
	c.slots[v] = o
}

// slot is where a value lies.
func (c *compiler) slot(v ssa.Value) uintptr {
	o, ok := c.slots[v]
	if !ok {
		panic(machine.Internal("no slot for %s = %s", v.Name(), v))
	}
	return o
}

// dst is where an instruction that is a value puts it.
func (c *compiler) dst(v ssa.Value) uintptr { return c.slot(v) }

// temp reserves memory that no SSA value has.
func (c *compiler) temp(t *typ) uintptr {
	n := len(c.Pointers)
	o := c.Add(t)
	c.scratch = append(c.scratch, c.Pointers[n:]...)
	return o
}

// constOf returns the constant's value if v is one.
func constOf(v ssa.Value) (constant.Value, bool) {
	k, ok := v.(*ssa.Const)
	if !ok || k.Value == nil {
		return nil, false
	}
	return k.Value, true
}

// clearing decides how released frames are cleared, whose pointers so far are all that the cell's
// values have.
func (c *compiler) clearing() {
	c.Size = machine.AlignUp(c.Size, 8)
	c.stops.pointers = slices.Clone(c.Pointers)
	c.code.SetClearing(c.Size, c.stops.pointers)
}
