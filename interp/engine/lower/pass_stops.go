package lower

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

// stops are the places of a function where control may leave its frame, as they are met while it is
// compiled.
type stops struct {
	pointers []uintptr
	last     ssa.Instruction // which the last ip was given to
	before   ssa.Instruction // set while deferred calls are compiled that run before it
	places   []stop
	early    map[ssa.Instruction][]uint32 // ips of deferred calls that run before an instruction
}

// A stop is an instruction and an ip of its own.
type stop struct {
	in ssa.Instruction
	ip uint32
}

// stopsAt tells instructions at which control may leave the frame, other than by failing.
func stopsAt(in ssa.Instruction) (machine.Event, bool) {
	switch in := in.(type) {
	case *ssa.Call:
		_, isBuiltin := in.Call.Value.(*ssa.Builtin)
		return machine.EventCall, !isBuiltin
	case *ssa.RunDefers, *ssa.Jump, *ssa.If:
		return machine.EventCall, true
	case *ssa.Send, *ssa.Select:
		return machine.EventWait, true
	case *ssa.UnOp:
		return machine.EventWait, in.Op == token.ARROW
	}
	return 0, false
}

// shares reports whether in may have the last ip, if it stands at the same place of the source.
func (s *stops) shares(in ssa.Instruction) bool {
	if s.before != nil || s.last == in {
		return s.last == in
	}
	if s.last == nil {
		return false
	}
	_, a := stopsAt(s.last)
	_, b := stopsAt(in)
	return !a && !b
}

func (s *stops) note(in ssa.Instruction, ip uint32) {
	s.last = in
	if s.before != nil {
		if s.early == nil {
			s.early = map[ssa.Instruction][]uint32{}
		}
		s.early[s.before] = append(s.early[s.before], ip)
		s.last = nil
		return
	}
	if _, ok := stopsAt(in); ok {
		s.places = append(s.places, stop{in, ip})
	}
}

// stackMap lists what the function's instructions do; nil if there is nothing that could be dead
// anywhere.
func (c *compiler) stackMap() *machine.StackMap {
	if len(c.stops.pointers)+len(c.scratch) == 0 || len(c.stops.places)+len(c.stops.early) == 0 ||
		len(c.stops.pointers)*(len(c.fn.Blocks)+len(c.code.Positions)) > machine.MaxMapBits {
		return nil
	}
	m := &mapper{
		c: c, StackMap: &machine.StackMap{Pointers: c.stops.pointers, Scratch: c.scratch, Ranges: c.ranges, Recovers: -1},
		places: make(map[ssa.Instruction][]uint32, len(c.stops.places)),
	}
	for _, p := range c.stops.places {
		m.places[p.in] = append(m.places[p.in], p.ip)
	}
	if c.fn.Recover != nil {
		m.Recovers = c.fn.Recover.Index
	}
	m.Blocks = make([]machine.MapBlock, len(c.fn.Blocks))
	for i, b := range c.fn.Blocks {
		m.block(&m.Blocks[i], b)
	}
	m.Events = slices.Clip(m.Events)
	return m.StackMap
}

// A mapper lists the events of a function.
type mapper struct {
	*machine.StackMap
	c      *compiler
	places map[ssa.Instruction][]uint32
}

func (m *mapper) block(out *machine.MapBlock, b *ssa.BasicBlock) {
	out.From, out.Phis, out.Succs = len(m.Events), len(m.Events), b.Succs
	end := len(b.Instrs) - 1
	for _, in := range b.Instrs[:end] {
		if phi, ok := in.(*ssa.Phi); ok {
			m.slot(machine.EventDef, phi)
			out.Phis = len(m.Events)
			continue
		}
		m.instruction(in)
	}
	last := b.Instrs[end]
	m.stop(machine.EventCall, m.c.stops.early[last])
	out.End = len(m.Events)
	m.operands(last)
	for _, s := range b.Succs {
		m.phiOperands(b, s)
	}
	out.To, out.Edges = len(m.Events), m.places[last]
}

// phiOperands are read by the phis of s where control comes from b.
func (m *mapper) phiOperands(b, s *ssa.BasicBlock) {
	for _, in := range s.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			return
		}
		for i, p := range s.Preds {
			if p == b {
				m.use(phi.Edges[i])
			}
		}
	}
}

func (m *mapper) instruction(in ssa.Instruction) {
	m.stop(machine.EventCall, m.c.stops.early[in])
	v, isValue := in.(ssa.Value)
	if isValue && m.c.folded[v] {
		return
	}
	m.operands(in)
	kind, _ := stopsAt(in)
	ips := m.places[in]
	switch {
	case len(ips) == 0:
		m.kept(in)
		m.defs(in)
	case kind == machine.EventCall:
		m.stop(machine.EventCall, ips)
		m.kept(in)
		m.defs(in)
	default:
		m.defs(in)
		m.stop(machine.EventWait, ips)
		m.operands(in)
		m.written(in)
	}
}

func (m *mapper) stop(kind machine.Event, ips []uint32) {
	for _, ip := range ips {
		m.Events = append(m.Events, kind|machine.Event(ip)<<machine.EventBits)
	}
}

// slot is an event of v's slot, if that holds pointers.
func (m *mapper) slot(kind machine.Event, v ssa.Value) {
	if o, ok := m.c.slots[v]; ok {
		m.memory(kind, o)
	}
}

func (m *mapper) memory(kind machine.Event, slot uintptr) {
	if i, ok := m.c.holders[slot]; ok {
		m.Events = append(m.Events, kind|machine.Event(i)<<machine.EventBits)
	}
}

// operands are read by in; those that are folded, by what they are computed from.
func (m *mapper) operands(in ssa.Instruction) {
	if call, ok := in.(*ssa.Call); ok {
		if v := m.c.appended[call]; v != nil {
			m.use(v)
		}
	}
	whole := m.wholeStore(in)
	var buf [8]*ssa.Value
	for _, o := range in.Operands(buf[:0]) {
		if *o != nil && *o != whole {
			m.use(*o)
		}
	}
}

// wholeStore is the variable in the frame that in gives a new value to as a whole, if it does that.
func (m *mapper) wholeStore(in ssa.Instruction) ssa.Value {
	if s, ok := in.(*ssa.Store); ok && m.c.updates[s] == nil && !m.c.skipped[s] {
		if a, ok := s.Addr.(*ssa.Alloc); ok && !a.Heap {
			return a
		}
	}
	return nil
}

func (m *mapper) use(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Builtin:
		return
	case *ssa.Alloc:
		m.variable(v)
	case *ssa.FieldAddr:
		m.variable(v.X)
	case *ssa.IndexAddr:
		m.variable(v.X)
	}
	if m.c.folded[v] {
		m.operands(v.(ssa.Instruction))
		return
	}
	m.slot(machine.EventUse, v)
}

// variable is a use of the memory of a variable in the frame, to which v points or into which.
func (m *mapper) variable(v ssa.Value) {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
			continue
		case *ssa.IndexAddr:
			v = x.X
			continue
		case *ssa.Alloc:
			if o, ok := m.c.memory[x]; ok {
				m.memory(machine.EventUse, o)
			}
		}
		return
	}
}

// defs are the slots that in writes.
func (m *mapper) defs(in ssa.Instruction) { m.results(machine.EventDef, in) }

// written keeps the slots that in is writing.
func (m *mapper) written(in ssa.Instruction) { m.results(machine.EventUse, in) }

func (m *mapper) results(kind machine.Event, in ssa.Instruction) {
	if a := m.wholeStore(in); a != nil {
		m.memory(kind, m.c.memory[a.(*ssa.Alloc)])
		return
	}
	v, ok := in.(ssa.Value)
	if _, isExtract := in.(*ssa.Extract); !ok || isExtract { // it reads its part of the tuple where that lies
		return
	}
	if parts, ok := m.c.parts[v]; ok {
		for _, p := range parts {
			if p.used {
				m.memory(kind, p.at)
			}
		}
		return
	}
	m.slot(kind, v)
	if a, ok := v.(*ssa.Alloc); ok && !a.Heap {
		m.memory(kind, m.c.memory[a])
	}
}

// kept are values that a call's arguments, numbers made of addresses, keep from being freed while
// it runs. How long deferred calls and goroutines run the frame does not tell.
func (m *mapper) kept(in ssa.Instruction) {
	call, ok := in.(ssa.CallInstruction)
	if !ok {
		return
	}
	for _, v := range addressesIn(call.Common().Args) {
		if _, ok := in.(*ssa.Call); ok {
			m.use(v)
		} else if i, ok := m.c.holders[m.c.slots[v]]; ok {
			m.Pinned = append(m.Pinned, i)
		}
	}
}

// addressesIn are the unsafe.Pointers that a call's arguments are converted from, those of a
// variadic parameter too.
func addressesIn(args []ssa.Value) (pointers []ssa.Value) {
	for _, a := range args {
		switch x := a.(type) {
		case *ssa.Convert:
			if isUnsafePointer(x.X.Type()) {
				pointers = append(pointers, x.X)
			}
		case *ssa.Slice:
			if array, ok := x.X.(*ssa.Alloc); ok && array.Comment == "varargs" {
				pointers = append(pointers, addressesIn(elementsOf(array))...)
			}
		}
	}
	return pointers
}

// elementsOf are the values that are stored in the array of a variadic call.
func elementsOf(array *ssa.Alloc) (vs []ssa.Value) {
	for _, r := range *array.Referrers() {
		element, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, r := range *element.Referrers() {
			if s, ok := r.(*ssa.Store); ok {
				vs = append(vs, s.Val)
			}
		}
	}
	return vs
}

func isUnsafePointer(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}
