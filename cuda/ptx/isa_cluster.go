package ptx

import "slices"

// clusterTable are the rows of formTable for clusters of blocks and the shared memory of their
// other blocks.
const clusterTable = `
mapa | mapa | shared::cluster? | u32/u64 | d s:convertible s:u32 | 9.7.9.22
getctarank | getctarank | shared::cluster? | u32/u64 | d:u32 s:convertible | 9.7.9.23
barrier.cluster.arrive | barrier | cluster! arrive! release/relaxed? aligned? | | | 9.7.13.3
barrier.cluster.wait | barrier | cluster! wait! acquire? aligned? | | | 9.7.13.3
st.async | st | async! weak? shared::cluster? COMPLETE VEC? | b32/b64/u32/u64/s32/s64/f32/f64 |
s:at s:stored s:at | 9.7.9.12
red.async | red | async! relaxed cluster shared::cluster? COMPLETE inc/dec/min/max/add/and/or/xor |
u32/s32/b32/u64/s64/b64 | s:at s s:at | 9.7.13.8
cp.bulk.peer | cp | async! bulk! shared::cluster! shared::cta! COMPLETE | |
s:shared s:shared s:sixteens s:shared | 9.7.9.25.4.1
`

func init() {
	addForms(clusterTable)
	operandClasses["stored"] = operandClass{isStoredValue, "registers of the instruction's type"}
}

var clusterRules = []combinationRule{
	{"red", asynchronously("inc", U32), ".inc with .u32"}, {"red", asynchronously("dec", U32), ".dec with .u32"},
	{"red", asynchronously("min", U32, S32), ".min with .u32 or .s32"},
	{"red", asynchronously("max", U32, S32), ".max with .u32 or .s32"},
	{"red", asynchronously("add", U32, S32, U64, S64), ".add with an integer type"},
	{"red", asynchronously("and", B32), ".and with .b32"},
	{"red", asynchronously("or", B32), ".or with .b32"},
	{"red", asynchronously("xor", B32), ".xor with .b32"},
	{"mapa", outsideShared, "a variable in shared memory"}, {"getctarank", outsideShared, "a variable in shared memory"},
	{"st", func(in *Instruction) bool { return in.Has("async") && in.vectorSize() > 16 }, "at most 128 bits"},
	{"mbarrier", func(in *Instruction) bool { return in.Has("shared::cluster") && in.Has("noComplete") },
		"no .noComplete with .shared::cluster"},
	{"mbarrier", func(in *Instruction) bool {
		return in.Has("shared::cluster") && in.hasAny([]string{"arrive", "arrive_drop"}) && in.Operands[0].Kind != OpSink
	}, "_ for the state, which an object of another block does not give"},
}

// outsideShared reports whether an instruction for shared memory names a variable of another space.
func outsideShared(in *Instruction) bool {
	return slices.ContainsFunc(in.Operands, func(o Operand) bool { return o.Kind == OpVar && o.Var.Space != Shared })
}

// isStoredValue is what st.async reads: the type's register, no wider one, or a vector of them.
func isStoredValue(in *Instruction, o *Operand) bool {
	if o.Kind == OpReg && o.Reg.Type.Size() != in.Types()[0].Size() {
		return false
	}
	return isMemoryValue(in, o)
}

// asynchronously is only for red.async.
func asynchronously(mod string, types ...Type) func(in *Instruction) bool {
	no := only(mod, types...)
	return func(in *Instruction) bool { return in.Has("async") && no(in) }
}
