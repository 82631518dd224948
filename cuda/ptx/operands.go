package ptx

import (
	"maps"
	"strings"
)

// operandClass reports whether an operand fits; want is what the error asks for.
type operandClass struct {
	fits func(in *Instruction, o *Operand) bool
	want string
}

const wantAddress = "an address in brackets, of a register, a number or a variable of the instruction's space"

var operandClasses = map[string]operandClass{}

func init() {
	maps.Copy(operandClasses, map[string]operandClass{
		"*":           {func(*Instruction, *Operand) bool { return true }, ""},
		"at":          {isAddress, wantAddress},
		"label":       {func(_ *Instruction, o *Operand) bool { return o.Kind == OpLabel }, "a label"},
		"shared":      {isSpaceAddress(Shared), "an address in brackets, of a register or a variable in shared memory"},
		"global":      {isSpaceAddress(Global), "an address in brackets, of a register or a variable in global memory"},
		"tile":        {isTile(0), "registers of the type and number that the shape has"},
		"tileA":       {isTile('a'), "registers of the type and number that the shape has"},
		"tileB":       {isTile('b'), "registers of the type and number that the shape has"},
		"tileC":       {isTile('c'), "registers of the type and number that the shape has"},
		"tileD":       {isTile('d'), "registers of the type and number that the shape has"},
		"matrices":    {isMatrices, "one register of 32 bits for each matrix, in braces"},
		"convertible": {isConvertible, "a register with an address, or a variable of the instruction's space"},
		"policy":      {isPolicy, "a policy of .b64"},
		"packed":      {isPackedPair, "a register of .b32"},
		"targets":     {isTargets, "the label of a .branchtargets"},
		"voters":      {isVoters, "a predicate register, or a number of threads in multiples of 32"},
		"phase":       {isPhase, "a state of .u64, or with .parity a register of .u32 or a constant"},
		"f8":          {isPackedBytes, "a register of .b16"},
		"byte":        number("from 0 to 255", func(_ *Instruction, v uint64) bool { return v <= 255 }),
		"barrier":     number("from 0 to 15", func(_ *Instruction, v uint64) bool { return uint32(v) <= 15 }),
		"threads":     number("that 32 divides", func(_ *Instruction, v uint64) bool { return v%32 == 0 }),
		"arriving":    number("above 0 that 32 divides", func(_ *Instruction, v uint64) bool { return v%32 == 0 && v != 0 }),
		"sixteens":    number("that 16 divides", func(_ *Instruction, v uint64) bool { return v%16 == 0 }),
		"line":        literal("128", func(_ *Instruction, v uint64) bool { return v == 128 }),
		"event": literal("from 0 to 15, with .mask to 65535", func(in *Instruction, v uint64) bool {
			return v <= 15 || in.Has("mask") && v <= 65535
		}),
		"copied": literal("16, with .ca 4, 8 or 16", func(in *Instruction, v uint64) bool {
			return v == 16 || in.Has("ca") && (v == 4 || v == 8)
		}),
		"imm":     {func(_ *Instruction, o *Operand) bool { return o.Kind == OpInt }, "an integer constant"},
		"mem":     {isMemoryValue, "registers of the instruction's type, or wider ones"},
		"address": {isAddressValue, "an address of 32 or 64 bits"},
		"preds":   {isPredicates, "a predicate register, or two: %p|%q"},
	})
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
		if e := &o.Elems[i]; (e.Kind != OpSink || in.Op == "st") && !fitsType(e, t, true, false) {
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
		return !base.Negate && (k == Untyped || k == Unsigned || k == Signed) && base.Reg.Vector == 1 &&
			in.addressesOf(base.Reg.Type.Size())
	case OpVar:
		return in.reaches(base.Var.Space)
	case OpInt:
		return in.reaches(Local) && in.Has("local")
	}
	return false
}

// reaches reports whether a variable of a space may be named in an instruction's address.
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
	return !named && v != Param && v != Const // of which cvta makes generic addresses
}

func isAddressValue(_ *Instruction, o *Operand) bool {
	return o.Kind != OpFunc && (o.Kind != OpReg || o.Reg.Type != F16x2) && (fitsType(o, U64, false, false) ||
		fitsType(o, U32, false, false))
}

func isPredicates(_ *Instruction, o *Operand) bool {
	if o.Kind == OpPair {
		return isPredicates(nil, &o.Elems[0]) && isPredicates(nil, &o.Elems[1])
	}
	return o.Kind == OpSink || o.Kind == OpReg && o.Reg.Type == Pred && !o.Negate
}

func isSpaceAddress(space Space) func(in *Instruction, o *Operand) bool {
	return func(in *Instruction, o *Operand) bool {
		return isAddress(in, o) && (o.Elems[0].Kind != OpVar || o.Elems[0].Var.Space == space)
	}
}

func isPackedBytes(_ *Instruction, o *Operand) bool { return o.Kind == OpReg && o.Reg.Type == B16 }

// addressesOf reports whether registers of a size hold addresses. Those of global memory and
// generic ones have 64 bits, but for instructions that ptxas does not look at so.
func (in *Instruction) addressesOf(size int) bool {
	switch {
	case size > 8:
		return false
	case in.Op == "ldmatrix" || in.Op == "stmatrix":
		return size >= 4
	case size != 4 || in.Has("async") || in.Op == "cp" || in.Op == "wmma" || in.Op == "tensormap":
		return true
	}
	s := in.Space()
	return s != Global && s != Generic || in.Has("shared::cluster")
}

// number is a register of .u32, or a constant that is in.
func number(which string, in func(*Instruction, uint64) bool) operandClass {
	return operandClass{func(i *Instruction, o *Operand) bool {
		return o.Kind == OpInt && in(i, o.Int) || o.Kind != OpInt && fitsType(o, U32, false, false) && (o.Kind != OpReg ||
			o.Reg.Type != F16x2)
	}, "a register of .u32, or a constant " + which}
}

// literal is a constant that is in.
func literal(which string, in func(*Instruction, uint64) bool) operandClass {
	fits := func(i *Instruction, o *Operand) bool { return o.Kind == OpInt && in(i, o.Int) }
	return operandClass{fits, "a constant: " + which}
}

// isPackedPair is a register of two integers of 16 bits.
func isPackedPair(in *Instruction, o *Operand) bool {
	return o.Kind == OpReg && (o.Reg.Vector == 1 || o.Component >= 0) &&
		(o.Reg.Type == B32 || o.Reg.Type == F16x2 && in.Op != "cvt")
}

// isTargets is the name of a list of labels; resolveLabel has left out what is none.
func isTargets(_ *Instruction, o *Operand) bool { return o.Kind == OpLabel && o.List }

// isVoters is what bar.red reduces, where no number of threads stands before it.
func isVoters(in *Instruction, o *Operand) bool {
	if len(in.Operands) == 4 {
		return operandClasses["threads"].fits(in, o)
	}
	return o.Kind == OpInt || fitsType(o, Pred, false, false)
}

func isPhase(in *Instruction, o *Operand) bool {
	t := U64
	if in.Has("parity") {
		t = U32
		if o.Kind == OpInt {
			return o.Int <= 1
		}
	}
	return fitsType(o, t, false, false) && o.Kind != OpFunc
}

func isPolicy(_ *Instruction, o *Operand) bool {
	return fitsType(o, U64, false, false) && o.Kind != OpFunc
}

// isConvertible is what cvta makes an address of.
func isConvertible(in *Instruction, o *Operand) bool {
	switch o.Kind {
	case OpVar:
		return in.reaches(o.Var.Space) && (!in.Has("to") || o.Offset != 0)
	case OpSpecial, OpFunc:
		return false
	}
	return fitsType(o, in.Types()[0], false, true)
}
