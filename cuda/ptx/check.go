package ptx

import "strings"

// What an operand may be follows from its slot in the form's row (isa_table.go): a type, by default
// the instruction's first, or one of operandClasses.

// operandClass says whether an operand fits; want is what the error asks for.
type operandClass struct {
	fits func(in *Instruction, o *Operand) bool
	want string
}

var operandClasses map[string]operandClass

func init() {
	operandClasses = map[string]operandClass{
		"*":       {func(*Instruction, *Operand) bool { return true }, ""},
		"at":      {isAddress, "an address in brackets, of a register, a number or a variable of the instruction's space"},
		"label":   {func(_ *Instruction, o *Operand) bool { return o.Kind == OpLabel }, "a label"},
		"shared":  {isSharedAddress, "an address in brackets, of a register or a variable in shared memory"},
		"byte":    {isByte, "a register of .u32, or a constant from 0 to 255"},
		"f8":      {isPackedBytes, "a register of .b16"},
		"imm":     {func(_ *Instruction, o *Operand) bool { return o.Kind == OpInt }, "an integer constant"},
		"mem":     {isMemoryValue, "registers of the instruction's type, or wider ones"},
		"address": {isAddressValue, "an address of 32 or 64 bits"},
		"preds":   {isPredicates, "a predicate register, or two: %p|%q"},
	}
}

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
		if in.Op == "call" {
			p.checkCall(in)
		}
		if want := in.combinationWant(); want != "" {
			p.failAt(p.tokenAt(in.Pos), "%s, in %s", want, in.Mnemonic())
		}
		for k := range in.Operands {
			if want := form.operandWant(in, k); want != "" {
				p.failAt(p.tokenAt(in.Operands[k].Pos), "%s, as %s takes", want, in.Mnemonic())
			}
		}
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
	switch {
	case s.dest && !isDestination(o):
		return "a register to write"
	case s.register && o.Kind != OpReg, s.position < 0 && o.Kind == OpReg && o.Reg.Type == F16x2 && t != F16x2,
		!fitsType(o, t, s.wider, takesNames[in.Op] && s.position >= 0):
		return wantOf(t, s.wider, s.dest)
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

// isMemoryValue is what ld writes and st reads: the type's register or a vector of them.
func isMemoryValue(in *Instruction, o *Operand) bool {
	types := in.Types()
	t := types[len(types)-1]
	if o.Kind != OpVector {
		return in.vector() == 1 && fitsType(o, t, true, false) || in.vector() > 1 && o.Kind == OpReg &&
			o.Reg.Vector == in.vector()
	}
	if len(o.Elems) != in.vector() {
		return false
	}
	for i := range o.Elems {
		if e := &o.Elems[i]; e.Kind != OpSink && !fitsType(e, t, true, false) {
			return false
		}
	}
	return true
}

// vector gives the number of elements that the modifiers tell.
func (in *Instruction) vector() int {
	for _, m := range in.Mods {
		if len(m) == 2 && m[0] == 'v' {
			return int(m[1] - '0')
		}
	}
	return 1
}

// isAddress compares the base of [base+offset] with the space of the instruction.
func isAddress(in *Instruction, o *Operand) bool {
	if o.Kind != OpAddr {
		return false
	}
	switch base := &o.Elems[0]; base.Kind {
	case OpReg:
		k := base.Reg.Type.Kind()
		return !base.Negate && (k == Untyped || k == Unsigned || k == Signed) && base.Reg.Vector == 1
	case OpVar:
		return in.reaches(base.Var.Space)
	case OpInt:
		return in.reaches(Local) && in.Has("local")
	}
	return false
}

// reaches tells whether a variable of a space may be named in an instruction's address.
func (in *Instruction) reaches(v Space) bool {
	named := false
	for _, m := range in.Mods {
		if s, ok := SpaceByName(strings.TrimSuffix(m, "::cluster")); ok {
			if s == v {
				return true
			}
			named = true
		}
	}
	return !named && v != Param // the generic space of parameters is cvta's
}

func isAddressValue(_ *Instruction, o *Operand) bool {
	return fitsType(o, U64, false, false) || fitsType(o, U32, false, false)
}

func isPredicates(_ *Instruction, o *Operand) bool {
	if o.Kind == OpPair {
		return isPredicates(nil, &o.Elems[0]) && isPredicates(nil, &o.Elems[1])
	}
	return o.Kind == OpSink || o.Kind == OpReg && o.Reg.Type == Pred && !o.Negate
}

func isSharedAddress(in *Instruction, o *Operand) bool {
	return isAddress(in, o) && (o.Elems[0].Kind != OpVar || o.Elems[0].Var.Space == Shared)
}

func isByte(_ *Instruction, o *Operand) bool {
	if o.Kind == OpInt {
		return o.Int <= 255
	}
	return fitsType(o, U32, false, false) && (o.Kind != OpReg || o.Reg.Type != F16x2)
}

func isPackedBytes(_ *Instruction, o *Operand) bool { return o.Kind == OpReg && o.Reg.Type == B16 }
