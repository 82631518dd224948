package ptx

// Which modifiers go with which types, where the rows of the table would take more (sections 9.7.1
// to 9.7.13).

// combinationRule refuses an instruction of an opcode, or of all where op is empty, for which no
// holds.
type combinationRule struct {
	op   string
	no   func(in *Instruction) bool
	want string
}

func only(mod string, types ...Type) func(in *Instruction) bool {
	return func(in *Instruction) bool {
		if !in.Has(mod) {
			return false
		}
		for _, t := range in.Types() {
			if containsType(types, t) {
				return false
			}
		}
		return true
	}
}

var combinationRules = []combinationRule{
	{"", noFlush, ".ftz with .f32, .f16 or .f16x2"},
	{"ld", badScope, "a scope behind .relaxed and .acquire, and only there"},
	{"st", badScope, "a scope behind .relaxed and .release, and only there"},
	{"ld", func(in *Instruction) bool { return in.Has("nc") && (in.Has("lu") || in.Has("cv")) },
		".ca, .cg or .cs with .nc"},
	{"setp", badRelation, "a comparison that the type has, and .and, .or or .xor just where a predicate follows"},
	{"set", badRelation, "a comparison that the type has, and .and, .or or .xor just where a predicate follows"},
	{"cvt", badRelu, ".relu with .rn or .rz of .f32 to a type of half precision or less"},
	{"cvt", badSaturation, ".sat where the result is narrower than the source, and not of .bf16"},
	{"cvt", func(in *Instruction) bool { return in.Has("ftz") && !in.Has("f32") }, ".ftz with .f32"},
	{"cvt", only("rna", TF32), ".rna with .tf32"},
	{"ex2", func(in *Instruction) bool { return in.Has("ftz") && (in.Has("f16") || in.Has("f16x2")) },
		"no .ftz of .f16, which keeps subnormal numbers"},
	{"set", func(in *Instruction) bool {
		return in.Has("ftz") && !containsType([]Type{F32, F16, F16x2}, in.Types()[1])
	},
		".ftz with a source of .f32, .f16 or .f16x2"},
	{"set", func(in *Instruction) bool { return in.Has("ftz") && in.Has("bf16") }, "no .ftz of .bf16"},
	{"slct", func(in *Instruction) bool { return in.Has("ftz") && in.Types()[1] != F32 },
		".ftz with a last operand of .f32"},
	{"add", only("sat", S32, F32, F16, F16x2), ".sat with .s32, .f32, .f16 or .f16x2"},
	{"sub", only("sat", S32, F32, F16, F16x2), ".sat with .s32, .f32, .f16 or .f16x2"},
	{"mul", only("sat", F32, F16, F16x2), ".sat with .f32, .f16 or .f16x2"},
	{"fma", only("sat", F32, F16, F16x2), ".sat with .f32, .f16 or .f16x2"},
	{"mad", only("sat", S32, F32), ".sat with .s32 or .f32"},
	{"fma", func(in *Instruction) bool { return in.Has("relu") && in.Has("sat") }, "one of .relu and .sat"},
	{"div", only("approx", F32), ".approx with .f32"},
	{"div", only("full", F32), ".full with .f32"},
	{"div", func(in *Instruction) bool { return in.Has("full") && in.Mods[0] != "full" }, ".full behind div"},
	{"sqrt", only("approx", F32), ".approx with .f32"},
	{"min", only("NaN", F32, F16, F16x2, BF16, BF16x2), ".NaN with .f32 or a type of half precision"},
	{"max", only("NaN", F32, F16, F16x2, BF16, BF16x2), ".NaN with .f32 or a type of half precision"},
	{"min", only("relu", S16x2), ".relu with .s16x2"}, {"max", only("relu", S16x2), ".relu with .s16x2"},
	{"min", signedMagnitude, ".xorsign and .abs together, with .f32 or a type of half precision"},
	{"max", signedMagnitude, ".xorsign and .abs together, with .f32 or a type of half precision"},
	{"atom", only("add", U32, S32, U64, F32, F64, F16, F16x2, BF16, BF16x2),
		".add with .u32, .s32, .u64 or a floating type"},
	{"red", func(in *Instruction) bool { return !in.Has("async") && addsOther(in) },
		".add with .u32, .s32, .u64 or a floating type"},
	{"set", mixedHalves, "a result and operands of half precision of one kind"},
	{"rcp", func(in *Instruction) bool { return in.Has("approx") && in.Has("f64") && !in.Has("ftz") },
		".ftz with .approx.f64"},
	{"cvt", badRounding, "the rounding that the conversion needs, or none where it is exact"},
}

// noFlush tells where .ftz may not stand; of bf16 ex2 alone has it, and has to.
func noFlush(in *Instruction) bool {
	if in.Op == "ex2" && (in.Has("bf16") || in.Has("bf16x2")) {
		return !in.Has("ftz")
	}
	return only("ftz", F32, F16, F16x2)(in) && !(in.Op == "rcp" || in.Op == "rsqrt")
}

// badRelu tells conversions that cannot cut off what is below zero.
func badRelu(in *Instruction) bool {
	t := in.Types()
	return in.Has("relu") && (in.Has("rna") || in.Has("rm") || in.Has("rp") || len(t) == 2 && t[1].Size() != 4 &&
		!isPacked(t[0]) || t[1].Kind() != Floating || t[0] == F32 || t[0] == F64)
}

// badSaturation tells conversions between integers that lose nothing, and those of .bf16.
func badSaturation(in *Instruction) bool {
	t := in.Types()
	if !in.Has("sat") || in.Has("pack") {
		return false
	}
	d, s := t[0], t[1]
	if d.Kind() == Floating || s.Kind() == Floating {
		return d == BF16 || s == BF16
	}
	return d.Kind() == s.Kind() && d.Size() >= s.Size() ||
		d.Kind() == Signed && s.Kind() == Unsigned && d.Size() > s.Size()
}

func badScope(in *Instruction) bool {
	return in.hasAny([]string{"cta", "cluster", "gpu", "sys"}) != in.hasAny([]string{"relaxed", "acquire", "release"})
}

// badRelation tells comparisons that the operands' type does not have.
func badRelation(in *Instruction) bool {
	if in.hasAny([]string{"and", "or", "xor"}) != (len(in.Operands) > 3) {
		return true
	}
	types := in.Types()
	kind := types[len(types)-1].Kind()
	switch {
	case in.hasAny([]string{"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"}):
		return kind != Floating
	case in.hasAny([]string{"lo", "ls", "hi", "hs"}):
		return kind != Unsigned
	case in.hasAny([]string{"lt", "le", "gt", "ge"}):
		return kind == Untyped
	}
	return false
}

func signedMagnitude(in *Instruction) bool {
	return in.Has("xorsign") != in.Has("abs") || in.Has("xorsign") && (in.Has("f64") || in.Types()[0].Kind() != Floating)
}

// mixedHalves tells set's types of half precision: packed ones make packed ones or a whole word.
func mixedHalves(in *Instruction) bool {
	t := in.Types()
	d, s := t[0], t[1]
	packed := s == F16x2 || s == BF16x2
	switch {
	case d == F16x2 || d == BF16x2:
		return d != s
	case d == F16 || d == BF16:
		return packed || s == BF16 && d == F16
	}
	return packed && d.Size() == 2
}

var toNumber = []string{"rn", "rz", "rm", "rp"}
var toInteger = []string{"rni", "rzi", "rmi", "rpi"}

// badRounding compares the rounding of a cvt between numbers with what its types need: one to an
// integer where a floating number becomes one, one to a number where digits may be lost, none
// otherwise.
func badRounding(in *Instruction) bool {
	t := in.Types()
	if len(t) != 2 || in.Has("pack") || t[0] == TF32 || isPacked(t[0]) || isPacked(t[1]) || t[0].Size() == 2 &&
		t[0] > BF16x2 {
		return false
	}
	d, s := t[0], t[1]
	from, to := s.Kind() == Floating, d.Kind() == Floating
	number, integer := in.hasAny(toNumber), in.hasAny(toInteger)
	switch {
	case from && to && d == s:
		return number
	case from && to && d.Size() >= s.Size():
		return integer || number && d.Size() > s.Size() && s != BF16 // which ptxas lets have one
	case to:
		return !number
	case from:
		return !integer
	}
	return number || integer
}

var addsOther = only("add", U32, S32, U64, F32, F64, F16, F16x2, BF16, BF16x2)

func (in *Instruction) hasAny(mods []string) bool {
	for _, m := range mods {
		if in.Has(m) {
			return true
		}
	}
	return false
}

// rulesByOp are the rules of each opcode, in order; "" has those of all.
var rulesByOp = func() map[string][]*combinationRule {
	m := map[string][]*combinationRule{}
	for _, list := range [][]combinationRule{combinationRules, memoryRules, hopperRules, clusterRules} {
		for i := range list {
			m[list[i].op] = append(m[list[i].op], &list[i])
		}
	}
	return m
}()

// combinationWant gives "" or the rule that an instruction breaks.
func (in *Instruction) combinationWant() string {
	for _, list := range [][]*combinationRule{rulesByOp[""], rulesByOp[in.Op]} {
		for _, r := range list {
			if r.no(in) {
				return r.want
			}
		}
	}
	return ""
}
