package ptx

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// draw writes random instructions: forms of the table with modifiers, types, operands and guards
// that mostly fit, so that what is wrong with a line is mostly one thing.
type draw struct{ *rand.Rand }

func newDraw(seed uint64) draw { return draw{rand.New(rand.NewPCG(seed, 13))} }

func (d draw) chance(percent int) bool { return d.IntN(100) < percent }

func pickOf[T any](d draw, list []T) T { return list[d.IntN(len(list))] }

// head draws a version and a target that it knows.
func (d draw) head() (arch, head string) {
	for {
		target, version := pickOf(d, targetNames), pickOf(d, versionsOfPTX)
		if v, _ := parseVersion(version); v.less(targetSince["sm_"+target]) || d.chance(30) && target < "75" {
			continue
		}
		return assemblerTarget(target), requirementHead(target, version)
	}
}

// line writes one instruction.
func (d draw) line() string {
	f := pickOf(d, Forms())
	in := &Instruction{Op: f.Op, Mods: d.mods(f)}
	var ops []string
	for i := range f.operands {
		s := &f.operands[i]
		if !s.optional || d.chance(25) {
			ops = append(ops, d.operand(f, in, s, i))
		}
	}
	switch {
	case d.chance(3) && len(ops) > 0:
		ops = ops[:len(ops)-1]
	case d.chance(2):
		ops = append(ops, d.any())
	case d.chance(2) && len(ops) > 1:
		i := d.IntN(len(ops) - 1)
		ops[i], ops[i+1] = ops[i+1], ops[i]
	}
	guard := ""
	if d.chance(8) {
		guard = pickOf(d, []string{"@%p1 ", "@!%p1 ", "@%p1 ", "@%r1 ", "@!%v.x "})
	}
	return strings.TrimRight(guard+in.Mnemonic()+" "+strings.Join(ops, ", "), " ") + ";"
}

// mods draws the modifiers and types of a form.
func (d draw) mods(f *Form) []string {
	var mods []string
	for _, g := range f.groups {
		if g.optional && d.chance(22) || !g.optional && !d.chance(2) {
			mods = append(mods, pickOf(d, g.mods))
		}
	}
	for _, list := range f.types {
		switch {
		case d.chance(95):
			mods = append(mods, pickOf(d, list).String())
		case d.chance(80):
			mods = append(mods, Type(1+d.IntN(int(U4))).String())
		}
	}
	switch {
	case d.chance(4):
		mods = slices.Insert(mods, d.IntN(len(mods)+1), d.strange(f))
	case d.chance(3) && len(mods) > 1:
		i := d.IntN(len(mods) - 1)
		mods[i], mods[i+1] = mods[i+1], mods[i]
	}
	return mods
}

// strange draws a modifier of the same opcode, or of another.
func (d draw) strange(f *Form) string {
	from := formsByOp[f.Op]
	if d.chance(50) {
		from = Forms()
	}
	for range 100 {
		if g := pickOf(d, from).groups; len(g) > 0 {
			return pickOf(d, pickOf(d, g).mods)
		}
	}
	return "ftz"
}

// operand draws what mostly fits a slot.
func (d draw) operand(f *Form, in *Instruction, s *operandSlot, i int) string {
	if d.chance(8) {
		return d.any()
	}
	var text string
	switch {
	case s.class == "*":
		text = d.open(f, in, i)
	case s.class == "at" || s.class == "shared":
		text = d.address(in)
	case s.class == "matrices" || strings.HasPrefix(s.class, "tile"):
		text = d.tile(in, s.class)
	case s.class == "imm" || d.chance(20) && numbered[s.class]:
		text = d.number()
	case s.class == "preds":
		text = pickOf(d, []string{"%p0", "%p1|%p2", "_|%p1"})
	case !s.dest && !s.register && s.class == "" && d.chance(20) && s.typeIn(in) != Pred:
		text = d.constant(s.typeIn(in))
	default:
		text = fitting(in, s)
	}
	if text == "" {
		return d.any()
	}
	return text
}

// numbered are the classes that take numbers of some range.
var numbered = map[string]bool{"byte": true, "barrier": true, "threads": true, "arriving": true, "sixteens": true,
	"line": true, "event": true, "copied": true, "voters": true, "phase": true}

// open draws an operand of which the row says nothing.
func (d draw) open(f *Form, in *Instruction, i int) string {
	switch {
	case f.Op == "call":
		return pickOf(d, []string{"fn", "(%r1)", "()", "fn", "gn", "(%r1), gn, (%r2)", "%d1", "(%r1, %r2)"})
	}
	return pickOf(d, []string{"%r1", "%p1", "%d1", "%ru1", "%du1", "5"})
}

// tile draws registers for a matrix, mostly as many as its shape has.
func (d draw) tile(in *Instruction, class string) string {
	if len(in.Types()) == 0 || d.chance(10) {
		return d.vector(1 << d.IntN(4))
	}
	n, t := 1<<d.IntN(3), B32
	switch {
	case class == "tile":
		n, t = in.tileRegisters(in.role(0))
	case class != "matrices":
		n, t = in.tileRegisters(class[4] + 'a' - 'A')
	}
	if n == 0 || n > 8 {
		return d.vector(1 << d.IntN(4))
	}
	name := canonical[t]
	if d.chance(10) {
		name = pickOf(d, classes) + "0"
	}
	list := slices.Repeat([]string{name}, n)
	if d.chance(5) {
		list[0] = pickOf(d, []string{"5", "_", "1.5", "%v.x", "%r1", "%f1"})
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// vector draws {a, b, ...} of one type, rarely of several.
func (d draw) vector(n int) string {
	class := pickOf(d, classes)
	var elems []string
	for range n {
		if d.chance(1) {
			class = pickOf(d, classes)
		}
		elems = append(elems, class+fmt.Sprint(d.IntN(4)))
	}
	return "{" + strings.Join(elems, ", ") + "}"
}

// classes are the registers of the head.
var classes = []string{"%r", "%f", "%g", "%h", "%x", "%d", "%p", "%c", "%hu", "%hs", "%hf",
	"%ru", "%rs", "%du", "%ds", "%q"}

func (d draw) number() string {
	return pickOf(d, []string{"0", "1", "7", "15", "16", "17", "31", "32", "64", "128", "255", "256",
		"-1", "-7", "0x10", "017", "0b11",
		"4U", "(1+2)", "0xffffffffffff", "0x8000000000000000", "WARP_SZ", "65535", "65536", "4294967295", "4294967296"})
}

func (d draw) constant(t Type) string {
	switch {
	case t.Kind() == Floating && d.chance(70):
		return pickOf(d, []string{"1.5", "0f3F800000", "0d3FF0000000000000", "-2.0", "1e10", "0.0"})
	case d.chance(90):
		return d.number()
	}
	return pickOf(d, []string{"1.5", "0f3F800000", "0d3FF0000000000000"})
}

// spaceNamesOf are the variables of the head.
var spaceNamesOf = map[Space]string{Global: "gv", Shared: "tile", Local: "mine", Param: "pp", Const: "cv",
	Generic: "gv"}

// address draws [base+offset], mostly of the instruction's space.
func (d draw) address(in *Instruction) string {
	base := pickOf(d, []string{"%d0", "%du1", "%ds1", "%d1", "%r1", "%ru1"})
	if d.chance(30) {
		base = spaceNamesOf[in.Space()]
	}
	if d.chance(6) {
		base = pickOf(d, []string{"gv", "tile", "mine", "pp", "cv", "fn", "16", "%f1",
			"%h1", "%p1", "%q1", "%v", "%v.x", "L", "%tid.x"})
	}
	if d.chance(25) {
		base += pickOf(d, []string{"+8", "+16", "+-8", "+0x40", "-8", "+3", "+(2*8)", "+%r1", "+1.5"})
	}
	return "[" + base + "]"
}

// any draws an operand of whatever kind.
func (d draw) any() string {
	switch d.IntN(9) {
	case 0:
		return d.number()
	case 1:
		return d.constant(F32)
	case 2:
		return d.address(&Instruction{})
	case 3:
		return d.vector(1 + d.IntN(8))
	case 4:
		return pickOf(d, candidates)
	case 5:
		return pickOf(d, specialNames)
	case 6:
		return pickOf(d, []string{"_", "!%p1", "-%r1", "tile+4", "gv+8", "%p1|%p2", "%r1|%p1", "%p1|_", "pp",
			"{%r1, _}", "{_, _}", "{1, 2}", "{}", "()",
			"%v", "%v.y", "%v.r", "%v.q", "fn", "gn", "cv", "L", "T", "nowhere"})
	}
	return pickOf(d, classes) + fmt.Sprint(d.IntN(5))
}

var specialNames = slices.Sorted(maps.Keys(specials))
