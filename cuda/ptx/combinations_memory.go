package ptx

// Which modifiers and operands go together in instructions of memory, barriers and matrices, where
// the rows of the table would take more.
var memoryRules = []combinationRule{
	{"", badHint, "a policy of .b64 just where .L2::cache_hint is, which global memory alone has"},
	{"cp", badCopy, "a size of .u32 up to that of the copy or a predicate, and a policy just where .L2::cache_hint is"},
	{"ld", badOrder, "an order and no cache operator, with global, shared or generic memory alone"},
	{"st", badOrder, "an order and no cache operator, with global, shared or generic memory alone"},
	{"ld", badEviction, "an eviction priority or a prefetch in global memory, without a cache operator"},
	{"st", badEviction, "an eviction priority or a prefetch in global memory, without a cache operator"},
	{"ld", func(in *Instruction) bool { return in.Has("nc") && in.Space() != Global }, ".nc with .global"},
	{"ld", tooWide, "a vector of at most 128 bits, or of 256 in elements of 32 and 64 bits"},
	{"st", tooWide, "a vector of at most 128 bits, or of 256 in elements of 32 and 64 bits"},
	{"ldu", func(in *Instruction) bool { return in.vectorSize() > 16 || in.vector() == 8 },
		"a vector of at most 128 bits"},
	{"mbarrier", badBarrierScope, "a scope behind .acquire, .release and .relaxed, and only there"},
	{"mbarrier", func(in *Instruction) bool { return in.Has("noComplete") && len(in.Operands) < 3 },
		"a count with .noComplete"},
	{"prefetch", func(in *Instruction) bool { return in.Has("local") && !in.Has("L1") && !in.Has("L2") },
		".L1 or .L2 of .local"},
	{"fence", func(in *Instruction) bool { return in.Has("alias") && in.hasAny([]string{"global", "shared::cta"}) },
		"no state space with .proxy.alias"},
	{"cvta", func(in *Instruction) bool { return in.Types()[0] == U32 }, ".u64: addresses have 64 bits"},
	{"setp", func(in *Instruction) bool { return in.Operands[0].Kind == OpPair && (in.Has("f16") || in.Has("bf16")) },
		"one predicate"},
	{"vabsdiff2", hasComponent, "no component of a vector"}, {"vabsdiff4", hasComponent, "no component of a vector"},
	{"mma", badTile, "two factors of one type"},
	{"wmma", badTile, "types, a shape and modifiers that go together"},
	{"alloca", badAlignment, "an alignment that is a power of two up to 2^23"},
	{"min", badTriple, "two operands of .f64 and with .xorsign"},
	{"max", badTriple, "two operands of .f64 and with .xorsign"},
}

// badHint compares the modifier with the operand that it adds.
func badHint(in *Instruction) bool {
	hint, ops := in.Has("L2::cache_hint"), in.form.operands
	if hint && in.Op != "cp" {
		if s := in.Space(); in.Has("cas") || s != Global && s != Generic {
			return true
		}
	}
	if in.Op == "cp" && in.Has("ca") || in.Op == "cp" && in.Has("cg") {
		return false // badCopy looks
	}
	n := len(ops)
	return n > 0 && ops[n-1].optional && ops[n-1].class == "policy" && hint != (len(in.Operands) == n)
}

// badCopy looks at what follows the size of cp.async: how much of it is read, or a predicate to
// read nothing, and the policy.
func badCopy(in *Instruction) bool {
	if !in.Has("ca") && !in.Has("cg") {
		return false
	}
	rest := in.Operands[3:]
	if in.Has("L2::cache_hint") {
		if len(rest) == 0 || !isPolicy(in, &rest[len(rest)-1]) {
			return true
		}
		rest = rest[:len(rest)-1]
	}
	switch {
	case len(rest) == 0:
		return false
	case len(rest) > 1:
		return true
	case rest[0].Kind == OpInt:
		return rest[0].Int > in.Operands[2].Int
	}
	return !fitsType(&rest[0], U32, false, false) && !fitsType(&rest[0], Pred, false, false)
}

var orders = []string{"volatile", "relaxed", "acquire", "release"}
var caches = []string{"ca", "cg", "cs", "lu", "cv", "wb", "wt"}

var evictions, prefetches = expand("EVICT"), expand("PREFETCH")

func badOrder(in *Instruction) bool {
	if !in.hasAny(orders) {
		return false
	}
	s := in.Space()
	return in.hasAny(caches) || s == Param || s == Const || s == Local || in.Has("nc")
}

func badEviction(in *Instruction) bool {
	evict := in.hasAny(evictions)
	s := in.Space()
	if in.Has("volatile") && (evict || in.Has("L2::cache_hint")) {
		return true
	}
	return evict && in.hasAny(caches) || (evict || in.hasAny(prefetches)) && s != Global && s != Generic
}

func (in *Instruction) vectorSize() int {
	types := in.Types()
	return in.vector() * types[len(types)-1].Size()
}

// tooWide tells vectors that no load or store has.
func tooWide(in *Instruction) bool {
	n := in.vectorSize()
	if n <= 16 {
		return false
	}
	s := in.Space()
	return n > 32 || in.vector() < 4 || s != Global && s != Generic
}

var scopes = []string{"cta", "cluster"}

func badBarrierScope(in *Instruction) bool {
	return in.hasAny(orders) != in.hasAny(scopes)
}

func hasComponent(in *Instruction) bool {
	for i := range in.Operands {
		if in.Operands[i].Component >= 0 {
			return true
		}
	}
	return false
}

func badAlignment(in *Instruction) bool {
	if len(in.Operands) < 3 || in.Operands[2].Kind != OpInt {
		return false
	}
	n := in.Operands[2].Int
	return n == 0 || n&(n-1) != 0 || n > 1<<23
}

func badTriple(in *Instruction) bool {
	return len(in.Operands) > 3 && (in.Has("f64") || in.Has("xorsign"))
}
