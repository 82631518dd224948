package ptx

import "slices"

// What an operand may be follows from its slot in the form's row (isa_table.go): a type, by default
// the instruction's first, or one of operandClasses.

// checkBody finds the form of every instruction, and compares the operands with it. What matches no
// form is left for the device to refuse, which knows what it leaves out.
func (p *parser) checkBody() {
	for i := range p.fn.Code {
		in := &p.fn.Code[i]
		form, err := Match(in)
		if err != nil {
			continue
		}
		in.form = form
		p.checkRequirements(in)
		if in.Op == "call" {
			p.checkCall(in)
		}
		if want := in.combinationWant(); want != "" {
			p.failAt(p.tokenAt(in.Pos), "%s, in %s", want, in.Mnemonic())
		}
		if in.Op == "st" {
			p.checkStore(&in.Operands[0])
		}
		for k := range in.Operands {
			if want := form.operandWant(in, k); want != "" {
				p.failAt(p.tokenAt(in.Operands[k].Pos), "%s, as %s takes", want, in.Mnemonic())
			}
		}
	}
}

// checkStore refuses a store into what the function was given.
func (p *parser) checkStore(o *Operand) {
	if o.Kind == OpAddr && o.Elems[0].Kind == OpVar && slices.Contains(p.fn.Params, o.Elems[0].Var) {
		p.failAt(p.tokenAt(o.Pos), "an address of memory that is written: parameters are read")
	}
}

// tokenAt scans the token at a place once more, for an error.
func (p *parser) tokenAt(pos Pos) token {
	s := scanner{src: p.src, line: 1}
	for s.line < pos.Line && s.off < len(s.src) {
		if s.src[s.off] == '\n' {
			s.line++
			s.lineStart = s.off + 1
		}
		s.off++
	}
	s.off = min(s.lineStart+pos.Col-1, len(s.src))
	return s.next()
}

// operandWant gives "" or what operand i should have been.
func (f *Form) operandWant(in *Instruction, i int) string {
	slot, o := &f.operands[i], &in.Operands[i]
	if slot.paired && (o.Kind != OpPair || o.Elems[1].Kind == OpSink) {
		return "a register and a predicate: %r|%p"
	}
	if o.Kind == OpPair {
		return f.pairWant(in, slot, o)
	}
	if slot.dest && o.Kind == OpSink && takesSink[in.Op] {
		return ""
	}
	return slot.want(in, o)
}

// takesNames are the opcodes whose source may be the name of a variable or a special register.
var takesNames = map[string]bool{"mov": true, "cvt": true, "cvta": true}

// takesSink are the opcodes whose result may be left out, "_".
var takesSink = map[string]bool{"atom": true, "mbarrier": true, "elect": true, "lop3": true, "shfl": true,
	"match": true}

func (f *Form) pairWant(in *Instruction, slot *operandSlot, o *Operand) string {
	if !slot.pair && slot.class != "preds" {
		return "one operand, not a pair"
	}
	if slot.class == "preds" {
		return slot.want(in, o)
	}
	second := operandSlot{dest: true, typ: Pred, position: -1}
	for i, s := range []*operandSlot{slot, &second} {
		if e := &o.Elems[i]; e.Kind != OpSink {
			if want := s.want(in, e); want != "" {
				return want
			}
		}
	}
	return ""
}

// want compares an operand with its slot.
func (s *operandSlot) want(in *Instruction, o *Operand) string {
	if class, ok := operandClasses[s.class]; ok {
		if s.dest && !isDestination(o) || !class.fits(in, o) {
			return class.want
		}
		return ""
	}
	t := s.typeIn(in)
	wider := s.wider && !(in.Op == "cvt" && in.Has("bf16")) // of which registers have just its size
	switch {
	case s.dest && !isDestination(o):
		return "a register to write"
	case s.register && o.Kind != OpReg, s.position < 0 && o.Kind == OpReg && o.Reg.Type == F16x2 && t != F16x2,
		!fitsType(o, t, wider, takesNames[in.Op] && s.position >= 0):
		return wantOf(t, wider, s.dest)
	}
	return ""
}

func isDestination(o *Operand) bool {
	for i := range o.Elems {
		if !isDestination(&o.Elems[i]) {
			return false
		}
	}
	return !o.Negate && (o.Kind == OpReg || o.Kind == OpVector || o.Kind == OpPair || o.Kind == OpSink)
}

// typeIn gives the type that the slot has in an instruction.
func (s *operandSlot) typeIn(in *Instruction) Type {
	if s.position < 0 {
		return s.typ
	}
	types := in.Types()
	if s.position >= len(types) {
		return NoType
	}
	if s.class == "wide" {
		return wider[types[s.position]]
	}
	return types[s.position]
}

var wider = map[Type]Type{U16: U32, S16: S32, U32: U64, S32: S64}

func wantOf(t Type, wider, dest bool) string {
	s := "a register of ." + t.String()
	switch {
	case t == Pred:
		s = "a predicate register"
	case wider:
		s += " or wider"
	}
	if !dest && t.Kind() != Opaque && t != Pred && !isPacked(t) && t != F16 && t != BF16 {
		s += ", or a constant of that kind"
	}
	return s
}

// fitsType compares an operand with the type that an instruction gives it (section 9.4): registers
// agree in size and class, and where a wider register is allowed in class alone.
func fitsType(o *Operand, t Type, wider, special bool) bool {
	switch o.Kind {
	case OpReg:
		return (!o.Negate || t == Pred) && fitsRegister(o, t, wider)
	case OpInt:
		return t.Kind() != Floating && t != NoType
	case OpFloat:
		return fitsFloat(o, t)
	case OpVar:
		return t.Kind() != Floating && t != Pred && (special && !wider || o.Offset != 0)
	case OpFunc:
		return t.Size() == 8
	case OpSpecial:
		return special && fitsSpecial(SpecialType(o.Name), t, wider)
	case OpVector:
		return special && fitsElements(o, t)
	}
	return false
}

func fitsRegister(o *Operand, t Type, wider bool) bool {
	r := o.Reg.Type
	if o.Reg.Vector > 1 && o.Component < 0 {
		return false
	}
	if r.Size() != t.Size() && (!wider || r.Size() < t.Size() || r == Pred) || (r == Pred) != (t == Pred) {
		return false
	}
	switch {
	case r.Kind() == Untyped, r == t:
		return true
	case t.Kind() == Untyped:
		return true
	case t.Kind() == Floating:
		return false
	}
	return r.Kind() != Floating || r == F16x2 // which ptxas takes for 32 bits
}

func isPacked(t Type) bool { return t == F16x2 || t == BF16x2 || t == U16x2 || t == S16x2 }

// fitsFloat tells where a floating constant may stand: for a floating type of 32 or 64 bits, or for
// bits of its own size.
func fitsFloat(o *Operand, t Type) bool {
	if t.Kind() == Untyped {
		return t.Size() == o.FloatType.Size()
	}
	return t == F32 || t == F64
}

// fitsSpecial compares the size of a special register: mov reads a part, but no more than there is.
func fitsSpecial(r, t Type, wider bool) bool {
	return t.Kind() != Floating && (r == Pred) == (t == Pred) && t.Size() <= r.Size() && (wider ||
		t.Size() == 8 == (r.Size() == 8))
}

// fitsElements compares the vectors that mov packs and unpacks.
func fitsElements(o *Operand, t Type) bool {
	n := len(o.Elems)
	if n == 0 || t.Kind() != Untyped {
		return false
	}
	for i := range o.Elems {
		if e := &o.Elems[i]; e.Kind == OpReg && e.Reg.Type.Size()*n != t.Size() {
			return false
		}
	}
	return true
}
