package ptx

import (
	"fmt"
	"slices"
	"strings"
)

// Form is one row of the instruction set: an opcode with the modifiers, types
// and operands that belong together. A row's Name is that of its test.
type Form struct {
	Name    string
	Op      string
	Section string // of "Parallel Thread Execution ISA", 9.0

	groups   []group
	types    [][]Type
	operands []operandSlot
}

// group is a set of alternative modifiers, at most one of which is written.
type group struct {
	mods     []string
	optional bool
	named    bool // part of the opcode's name, which stands in order before all others
}

// operandSlot is one place in the operand list.
type operandSlot struct {
	// dest says that the instruction writes the operand, pair that a predicate may follow behind "|",
	// paired that it has to.
	dest, pair, paired bool
	optional           bool
	class              string // one of operandClasses, "" for a type
	typ                Type   // where position is below 0
	position           int    // among the instruction's types
	wider              bool   // a register may be wider
	register           bool   // no constant
}

// parseSlot reads d or s, then the class or type behind a colon: a type's name, the position of one
// of the instruction's types, "wide" for twice the first, "cvt0" or "cvt:u32" for one that wider
// registers hold, or an operandClass. "+pred" is the predicate of a pair, "+pair" one that must be there, "!" leaves
// constants out.
func parseSlot(text string) operandSlot {
	text, optional := strings.CutSuffix(text, "?")
	text, register := strings.CutSuffix(text, "!")
	role, kind, _ := strings.Cut(text, ":")
	kind, pair := strings.CutSuffix(kind, "+pred")
	kind, paired := strings.CutSuffix(kind, "+pair")
	o := operandSlot{dest: role == "d", optional: optional, pair: pair || paired, paired: paired, register: register,
		position: -1}
	typ, named := typesByName[kind]
	rest, wider := strings.CutPrefix(kind, "cvt")
	switch {
	case named:
		o.typ = typ
	case wider && rest[0] == ':':
		o.typ, o.wider = typesByName[rest[1:]], true
	case wider:
		o.position, o.wider = int(rest[0]-'0'), true
	case kind == "":
		o.position = 0
	case len(kind) == 1 && kind != "*":
		o.position = int(kind[0] - '0')
	case kind == "wide":
		o.position, o.class = 0, kind
	default:
		o.class = kind
	}
	return o
}

// Dest reports whether operand i is written. Elements of a vector or pair share
// their operand's role.
func (f *Form) Dest(i int) bool { return i < len(f.operands) && f.operands[i].dest }

// Forms gives all rows in order.
func Forms() []*Form { return forms }

var (
	forms     []*Form
	formsByOp = map[string][]*Form{}
)

// shorthands of the type and modifier columns.
var shorthands = map[string]string{
	"INT": "u16/u32/u64/s16/s32/s64", "INT32": "u32/s32", "BITS": "b16/b32/b64", "SIZED": "b16/b32/b64/u16/u32/u64/s16/s32/s64/f32/f64",
	"MEM": "b8/b16/b32/b64/b128/u8/u16/u32/u64/s8/s16/s32/s64/f32/f64", "CMP": "b16/b32/b64/u16/u32/u64/s16/s32/s64/f32/f64",
	"RND": "rn/rz/rm/rp", "REL": "eq/ne/lt/le/gt/ge/lo/ls/hi/hs/equ/neu/ltu/leu/gtu/geu/num/nan",
	"SCOPE": "cta/cluster/gpu/sys", "VEC": "v2/v4/v8", "SEM": "relaxed/acquire/release/acq_rel", "BOOL": "and/or/xor",
	"CVT": "u8/u16/u32/u64/s8/s16/s32/s64/f16/bf16/f32/f64", "CROUND": "rn/rz/rm/rp/rni/rzi/rmi/rpi/rna",
	"LDCACHE": "ca/cg/cs/lu/cv", "STCACHE": "wb/cg/cs/wt", "EVICT": "L1::evict_normal/L1::evict_unchanged/L1::evict_first/L1::evict_last/L1::no_allocate",
	"HINT": "L2::cache_hint", "PREFETCH": "L2::64B/L2::128B/L2::256B",
	"SPACES":   "global/shared/shared::cta/shared::cluster/local/const/param/param::entry/param::func",
	"SHARED":   "shared/shared::cta",
	"PEERED":   "shared/shared::cta/shared::cluster",
	"STSPACES": "global/shared/shared::cta/shared::cluster/local/param/param::func",
	"L2LEVEL":  "L2/L2::evict_last/L2::evict_normal",
	"CLUSTER":  "cta/cluster", "RELEASE": "release/relaxed", "ACQUIRE": "acquire/relaxed",
	"COMPLETE": "mbarrier::complete_tx::bytes", "INTSHAPE": "m16n8k32/m16n8k16/m8n8k16",
	"ATOMSPACE": "global/shared/shared::cta/shared::cluster", "HALF": "f16/f16x2/bf16/bf16x2",
	"WMMA": "m16n16k16/m32n8k16/m8n32k16/m16n16k8/m8n8k4",
}

func init() { addForms(formTable) }

func addForms(table string) {
	for _, line := range strings.Split(strings.TrimSpace(strings.ReplaceAll(table, "|\n", "| ")), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		f := parseForm(line)
		forms = append(forms, f)
		formsByOp[f.Op] = append(formsByOp[f.Op], f)
	}
}

// parseForm reads one row: name | opcode | modifiers | types | operands | section.
// Alternatives are joined by "/", an optional group or operand ends in "?", a group that is part of
// the opcode's name in "!".
func parseForm(line string) *Form {
	col := strings.Split(line, "|")
	for i := range col {
		col[i] = strings.TrimSpace(col[i])
	}
	f := &Form{Name: col[0], Op: col[1], Section: col[5]}
	for _, g := range strings.Fields(col[2]) {
		g, named := strings.CutSuffix(g, "!")
		g, optional := strings.CutSuffix(g, "?")
		f.groups = append(f.groups, group{mods: expand(g), optional: optional, named: named})
	}
	for _, slot := range strings.Fields(col[3]) {
		var list []Type
		for _, name := range expand(slot) {
			list = append(list, typesByName[name])
		}
		f.types = append(f.types, list)
	}
	for _, o := range strings.Fields(col[4]) {
		f.operands = append(f.operands, parseSlot(o))
	}
	return f
}

func expand(s string) []string {
	var out []string
	for _, part := range strings.Split(s, "/") {
		if full, ok := shorthands[part]; ok {
			out = append(out, strings.Split(full, "/")...)
			continue
		}
		out = append(out, part)
	}
	return out
}

// FormError says why an instruction is no form of the instruction set.
type FormError struct {
	Pos
	Instruction string // the mnemonic as written
	Detail      string
}

func (e *FormError) Error() string {
	return fmt.Sprintf("line %d: %s: %s", e.Line, e.Instruction, e.Detail)
}

// leftOut says what instructions of PTX belong to that have no row.
var leftOut = map[string]string{
	"tex": "textures", "tld4": "textures", "txq": "textures", "istypep": "references to textures and surfaces", "suld": "surfaces", "sust": "surfaces", "sured": "surfaces", "suq": "surfaces",
	"tcgen05":              "tensor cores of the fifth generation (.target sm_100a and its like)",
	"multimem":             "multicast addresses",
	"clusterlaunchcontrol": "clusters that take over the work of others (.target sm_100 or higher)",
}

// Match finds the row of an instruction. The order of modifiers is free, as
// compilers write both atom.global.gpu.acq_rel and atom.acq_rel.gpu.global; the
// order of types is not. The error is a *FormError.
func Match(in *Instruction) (*Form, error) {
	if in.form != nil {
		return in.form, nil
	}
	rows := formsByOp[in.Op]
	if len(rows) == 0 {
		why := "no such instruction is known"
		if what := leftOut[in.Op]; what != "" {
			why = what + " are left out on the emulated device"
		}
		return nil, &FormError{in.Pos, in.Mnemonic(), why}
	}
	var last string
	for _, f := range rows {
		why := f.match(in)
		if why == "" {
			return f, nil
		}
		last = why
	}
	if len(rows) > 1 {
		last = fmt.Sprintf("no form of %s takes these modifiers, types and operands", in.Op)
	}
	return nil, &FormError{in.Pos, in.Mnemonic(), last}
}

// match gives "" or what does not fit.
func (f *Form) match(in *Instruction) string {
	used, rest := f.name(in.Mods)
	slot := 0
	for i, m := range rest {
		if slot < len(f.types) {
			if t, ok := typesByName[m]; ok && containsType(f.types[slot], t) {
				slot++
				continue
			}
		}
		g := f.group(m, used)
		if g < 0 && repeatable[m] && f.takes(m) && slices.Contains(in.Mods[:len(in.Mods)-len(rest)+i], m) {
			continue
		}
		if g < 0 {
			return fmt.Sprintf("modifier .%s is not of this form", m)
		}
		used |= 1 << g
	}
	if slot < len(f.types) {
		return "a type is missing or does not fit"
	}
	for i, g := range f.groups {
		if !g.optional && used&(1<<i) == 0 {
			return "one of ." + strings.Join(g.mods, " .") + " is missing"
		}
	}
	return f.matchOperands(len(in.Operands))
}

// name takes the modifiers that are part of the opcode's name off the others.
func (f *Form) name(mods []string) (used uint64, rest []string) {
	for i := range f.groups {
		if g := &f.groups[i]; !g.named {
			break
		} else if len(mods) > 0 && slices.Contains(g.mods, mods[0]) {
			used, mods = used|1<<i, mods[1:]
		}
	}
	return used, mods
}

func (f *Form) matchOperands(n int) string {
	least := 0
	for _, o := range f.operands {
		if !o.optional {
			least++
		}
	}
	if n < least || n > len(f.operands) {
		return fmt.Sprintf("%d operands, expected %d", n, least)
	}
	return ""
}

// takes reports whether a modifier is one of the form's.
func (f *Form) takes(mod string) bool {
	return slices.ContainsFunc(f.groups, func(g group) bool { return slices.Contains(g.mods, mod) })
}

// repeatable are the modifiers that may be written twice.
var repeatable = map[string]bool{"sat": true, "approx": true, "NaN": true, "shiftamt": true, "sync": true, "cc": true,
	"relu": true, "satfinite": true, "uni": true}

func (f *Form) group(mod string, used uint64) int {
	for i, g := range f.groups {
		if used&(1<<i) != 0 || g.named {
			continue
		}
		for _, m := range g.mods {
			if m == mod {
				return i
			}
		}
	}
	return -1
}

func containsType(list []Type, t Type) bool {
	for _, x := range list {
		if x == t {
			return true
		}
	}
	return false
}
