package ptx

// Type is a fundamental type of PTX (section 5.2), packed and alternate
// floating-point formats included.
type Type uint8

// The types, named as PTX names them.
const (
	NoType Type = iota
	Pred
	B8
	B16
	B32
	B64
	B128
	U8
	U16
	U32
	U64
	S8
	S16
	S32
	S64
	F16
	F16x2
	BF16
	BF16x2
	TF32
	F32
	F64
	E4M3
	E5M2
	E4M3x2
	E5M2x2
	F32x2
	U16x2
	S16x2
	S8x4
	U8x4
	B1
	S4
	U4
	TexRef
	SamplerRef
	SurfRef
)

// Kind is the class of values that a type holds.
type Kind uint8

// The kinds of values.
const (
	Untyped Kind = iota
	Unsigned
	Signed
	Floating
	Predicate
	Opaque
)

type typeInfo struct {
	name string
	size int
	kind Kind
}

var typeInfos = [...]typeInfo{
	NoType: {"", 0, Untyped},
	Pred:   {"pred", 1, Predicate},
	B8:     {"b8", 1, Untyped}, B16: {"b16", 2, Untyped}, B32: {"b32", 4, Untyped}, B64: {"b64", 8, Untyped},
	B128: {"b128", 16, Untyped},
	U8:   {"u8", 1, Unsigned}, U16: {"u16", 2, Unsigned}, U32: {"u32", 4, Unsigned}, U64: {"u64", 8, Unsigned},
	S8: {"s8", 1, Signed}, S16: {"s16", 2, Signed}, S32: {"s32", 4, Signed}, S64: {"s64", 8, Signed},
	F16: {"f16", 2, Floating}, F16x2: {"f16x2", 4, Floating}, BF16: {"bf16", 2, Floating}, BF16x2: {"bf16x2", 4, Floating},
	TF32: {"tf32", 4, Floating}, F32: {"f32", 4, Floating}, F64: {"f64", 8, Floating},
	E4M3: {"e4m3", 1, Floating}, E5M2: {"e5m2", 1, Floating}, E4M3x2: {"e4m3x2", 2, Floating},
	E5M2x2: {"e5m2x2", 2, Floating},
	F32x2:  {"f32x2", 8, Floating}, U16x2: {"u16x2", 4, Unsigned}, S16x2: {"s16x2", 4, Signed},
	S8x4: {"s8x4", 4, Signed}, U8x4: {"u8x4", 4, Unsigned}, B1: {"b1", 1, Untyped}, S4: {"s4", 1, Signed},
	U4:     {"u4", 1, Unsigned},
	TexRef: {"texref", 8, Opaque}, SamplerRef: {"samplerref", 8, Opaque}, SurfRef: {"surfref", 8, Opaque},
}

var typesByName = func() map[string]Type {
	m := make(map[string]Type, len(typeInfos))
	for t, info := range typeInfos {
		if info.name != "" {
			m[info.name] = Type(t)
		}
	}
	return m
}()

// TypeByName finds a type by its PTX name, without the dot.
func TypeByName(name string) (Type, bool) {
	t, ok := typesByName[name]
	return t, ok
}

// String gives the PTX name, without the dot.
func (t Type) String() string {
	if int(t) < len(typeInfos) {
		return typeInfos[t].name
	}
	return "type?"
}

// Size gives the bytes that a value occupies in memory; sub-byte types count one.
func (t Type) Size() int {
	if int(t) < len(typeInfos) {
		return typeInfos[t].size
	}
	return 0
}

// Kind tells which class of values the type holds.
func (t Type) Kind() Kind {
	if int(t) < len(typeInfos) {
		return typeInfos[t].kind
	}
	return Untyped
}

// Space is a state space (section 5.1).
type Space uint8

// The state spaces. Generic is the absence of one.
const (
	Generic Space = iota
	Reg
	Global
	Shared
	Local
	Const
	Param
	Tex
)

var spaceNames = [...]string{"generic", "reg", "global", "shared", "local", "const", "param", "tex"}

// String gives the PTX name of the state space, without the dot.
func (s Space) String() string {
	if int(s) < len(spaceNames) {
		return spaceNames[s]
	}
	return "space?"
}

// SpaceByName finds a state space by its PTX name, without the dot. The
// sub-spaces shared::cta and param::entry, param::func are their whole space;
// shared::cluster is not among them.
func SpaceByName(name string) (Space, bool) {
	switch name {
	case "global":
		return Global, true
	case "shared", "shared::cta":
		return Shared, true
	case "local":
		return Local, true
	case "const":
		return Const, true
	case "param", "param::entry", "param::func":
		return Param, true
	case "reg":
		return Reg, true
	case "tex":
		return Tex, true
	}
	return Generic, false
}
