package ptx

import "slices"

// The registers of a lane that hold a tile of mma or wmma, or matrices of ldmatrix and stmatrix
// (section 9.7.14).

// extent is the rows and columns of a shape's matrices: a is m×k, b is k×n, c and d are m×n.
type extent struct{ m, n, k int }

var extents = map[string]extent{
	"m8n8k4": {8, 8, 4}, "m8n8k16": {8, 8, 16}, "m16n8k4": {16, 8, 4}, "m16n8k8": {16, 8, 8},
	"m16n8k16": {16, 8, 16}, "m16n8k32": {16, 8, 32},
	"m16n16k16": {16, 16, 16}, "m32n8k16": {32, 8, 16}, "m8n32k16": {8, 32, 16}, "m16n16k8": {16, 16, 8},
}

func (in *Instruction) extent() extent {
	for _, m := range in.Mods {
		if e, ok := extents[m]; ok {
			return e
		}
	}
	return extent{}
}

// elements counts those of a role's matrix: 'a', 'b', 'c' or 'd'.
func (e extent) elements(role byte) int {
	switch role {
	case 'a':
		return e.m * e.k
	case 'b':
		return e.k * e.n
	}
	return e.m * e.n
}

// tileType is the type of a role's elements; of wmma.mma in half precision d and c alone are
// written.
func (in *Instruction) tileType(role byte) Type {
	t := in.Types()
	switch {
	case len(t) == 1:
		return t[0]
	case len(t) == 2 && (role == 'a' || role == 'b'):
		return F16
	case len(t) == 2 && role == 'c':
		return t[1]
	case len(t) != 4:
		return t[0]
	}
	return t[map[byte]int{'d': 0, 'a': 1, 'b': 2, 'c': 3}[role]]
}

// tileRegisters gives how many registers of which type hold a role's matrix. wmma holds factors of
// .f16 twice, whatever the shape.
func (in *Instruction) tileRegisters(role byte) (n int, t Type) {
	elem := in.tileType(role)
	if in.Op == "wmma" && elem == F16 && (role == 'a' || role == 'b') {
		return 8, F16x2
	}
	elements := in.extent().elements(role) / 32
	switch t = elem; elem {
	case F16, BF16:
		return elements / 2, F16x2
	case S8, U8, E4M3, E5M2:
		return elements / 4, U32
	case TF32:
		return elements, TF32
	}
	return elements, t
}

// isTile fits {a, b, ...} to a role.
func isTile(role byte) func(in *Instruction, o *Operand) bool {
	return func(in *Instruction, o *Operand) bool {
		n, t := in.tileRegisters(in.role(role))
		return isRegisters(o, n, t)
	}
}

// role is that of wmma.load's and wmma.store's registers where 0 stands for it.
func (in *Instruction) role(role byte) byte {
	if role == 0 && len(in.Mods) > 1 {
		return in.Mods[1][0]
	}
	return role
}

// isRegisters fits n registers in braces. Beside one of bits others may be of any type of the size.
func isRegisters(o *Operand, n int, t Type) bool {
	if o.Kind != OpVector || len(o.Elems) != n {
		return false
	}
	bits, registers := false, false
	for i := range o.Elems {
		e := &o.Elems[i]
		registers = registers || e.Kind == OpReg
		bits = bits || e.Kind == OpReg && e.Reg.Type.Kind() == Untyped
	}
	for i := range o.Elems {
		if !fitsTile(&o.Elems[i], t, bits, registers) {
			return false
		}
	}
	return true
}

func fitsTile(e *Operand, t Type, bits, registers bool) bool {
	switch {
	case e.Kind == OpReg && bits:
		return fitsRegister(e, map[int]Type{4: B32, 8: B64}[t.Size()], false)
	case e.Kind == OpReg:
		return fitsRegister(e, t, false) && (t.Kind() == Floating || e.Reg.Type != F16x2)
	case e.Kind == OpInt:
		return registers || t.Kind() != Floating
	}
	return e.Kind == OpFloat && registers && t.Kind() == Floating
}

// isMatrices fits the registers of ldmatrix and stmatrix, one for each matrix.
func isMatrices(in *Instruction, o *Operand) bool {
	n := 1
	for _, m := range in.Mods {
		if len(m) == 2 && m[0] == 'x' {
			n = int(m[1] - '0')
		}
	}
	if o.Kind == OpReg {
		return o.Reg.Vector == n && n > 1 && o.Component < 0 && o.Reg.Type.Size() == 4
	}
	if o.Kind != OpVector || len(o.Elems) != n {
		return false
	}
	known := false
	for i := range o.Elems {
		e := &o.Elems[i]
		known = known || e.Kind == OpReg
		if e.Kind == OpReg && (e.Reg.Type.Size() != 4 || e.Reg.Vector > 1 && e.Component < 0) || e.Kind != OpReg &&
			(e.Kind != OpSink || in.Op == "stmatrix") && e.Kind != OpInt {
			return false
		}
	}
	return known
}

// badTile tells types and shapes of mma and wmma that do not go together.
func badTile(in *Instruction) bool {
	t := in.Types()
	if in.Op == "mma" {
		return slices.Index(in.Mods, "row") > slices.Index(in.Mods, "col") || (t[1] == F16 || t[1] == BF16) && t[1] != t[2]
	}
	a, shape := t[len(t)/2], in.extent()
	if len(t) == 2 {
		a = F16
	}
	switch {
	case len(t) == 4 && (t[1] != t[2] || t[0] != t[3] || t[0] != sums[t[1]]), wrongRole(in, t):
		return true
	case in.Has("satfinite") && t[0] != S32, in.hasAny(toNumber) && (len(t) != 4 || a != F64):
		return true
	}
	return !slices.Contains(tileShapes[a], shape)
}

// wrongRole tells a type of wmma.load that its matrix has not.
func wrongRole(in *Instruction, t []Type) bool {
	if !in.Has("load") {
		return false
	}
	c := t[0] == F16 || t[0] == F32 || t[0] == S32 || t[0] == F64
	if in.Has("c") {
		return !c
	}
	return t[0] == F32 || t[0] == S32
}

// sums are the types of products of wmma.
var sums = map[Type]Type{BF16: F32, TF32: F32, S8: S32, U8: S32, F64: F64}

// tileShapes are the shapes of wmma by the type of the elements.
var tileShapes = func() map[Type][]extent {
	wide := []extent{extents["m16n16k16"], extents["m32n8k16"], extents["m8n32k16"]}
	m := map[Type][]extent{F64: {extents["m8n8k4"]}, TF32: {extents["m16n16k8"]},
		F32: append(wide[:3:3], extents["m16n16k8"])}
	for _, t := range []Type{F16, BF16, S8, U8, S32} {
		m[t] = wide
	}
	return m
}()
