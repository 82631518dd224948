package ptx

import (
	"flag"
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var writeRequirements = flag.Bool("ptxas.generate", false, "write requirements.go anew, from what ptxas says")

var versionsOfPTX = strings.Fields("6.0 6.1 6.2 6.3 6.4 6.5 7.0 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 " +
	"8.0 8.1 8.2 8.3 8.4 8.5 8.6 8.7 8.8 9.0")

// sample is a line with what it is made of, and what it needs: the targets that have it, by their
// position in targetNames, and the first version, by its position.
type sample struct {
	line    string
	atoms   []string
	targets uint64
	version int
	// oldest is the version for the oldest of the targets.
	oldest int
}

// samples gives lines of a form: each type, each modifier alone, and many together.
func samples(f *Form) (out []*sample) {
	seen := map[string]bool{}
	add := func(mods []string, optional bool) {
		in := &Instruction{Op: f.Op, Mods: mods, form: f}
		var ops []string
		for i := range f.operands {
			s := &f.operands[i]
			if s.optional && !(s.class == "policy" && in.Has("L2::cache_hint") || s.class != "policy" && optional) {
				continue
			}
			ops = append(ops, sampleOperand(f, in, s))
		}
		line := strings.TrimRight(in.Mnemonic()+" "+strings.Join(ops, ", "), " ") + ";"
		if !seen[line] && !slices.Contains(ops, "") && ours(requirementHead("90", "9.9"), line, formsTail) == "" {
			seen[line] = true
			out = append(out, &sample{line: line, atoms: f.atoms(mods, len(ops)), version: -1, oldest: -1})
		}
	}
	d := newDraw(1)
	for _, mods := range f.spellings() {
		add(mods, false)
		add(mods, true)
		for _, g := range f.groups {
			for _, m := range g.mods {
				add(f.insert(m, mods), false)
			}
		}
	}
	for range 150 * (len(f.groups) + len(f.types)) {
		var mods []string
		for _, g := range f.groups {
			if !g.optional || d.chance(30) {
				mods = append(mods, pickOf(d, g.mods))
			}
		}
		for _, list := range f.types {
			mods = append(mods, pickOf(d, list).String())
		}
		add(mods, d.chance(20))
	}
	return out
}

func sampleOperand(f *Form, in *Instruction, s *operandSlot) string {
	switch {
	case strings.HasPrefix(s.class, "tile"):
		role := in.role(0)
		if s.class != "tile" {
			role = s.class[4] + 'a' - 'A'
		}
		n, t := in.tileRegisters(role)
		return "{" + strings.TrimSuffix(strings.Repeat(canonical[t]+", ", n), ", ") + "}"
	case s.class == "matrices":
		n := 1
		for _, m := range in.Mods {
			if len(m) == 2 && m[0] == 'x' {
				n = int(m[1] - '0')
			}
		}
		return "{" + strings.TrimSuffix(strings.Repeat("%r0, ", n), ", ") + "}"
	case s.class == "*" && f.Op == "call":
		return "fn"
	case s.class == "*":
		return "%r0"
	}
	return fitting(in, s)
}

// atoms are what requirements may depend on.
func (f *Form) atoms(mods []string, operands int) []string {
	out := slices.Clone(mods[:len(mods)-len(f.types)])
	for i, m := range mods[len(mods)-len(f.types):] {
		out = append(out, fmt.Sprintf("%d:%s", i, m))
	}
	for _, g := range f.groups {
		if g.optional && !slices.ContainsFunc(mods, func(m string) bool { return slices.Contains(g.mods, m) }) {
			out = append(out, "~"+g.mods[0])
		}
	}
	return append(out, fmt.Sprintf("#%d", operands))
}

// requirementHead is the head for a target and a version, without registers that these do not have.
func requirementHead(target, version string) string {
	head := strings.Replace(formsHead, ".target sm_90", ".target sm_"+target, 1)
	n, _ := strconv.Atoi(strings.TrimRight(target, "af"))
	if n < 53 {
		head = strings.Replace(head, " .reg .f16x2 %x<4>;", "", 1)
	}
	if v, _ := parseVersion(version); v.less(Version{8, 3}) || n < 70 {
		head = strings.Replace(head, " .reg .b128 %q<4>;", "", 1)
	}
	return strings.Replace(head, ".version 8.6", ".version "+version, 1)
}

// assemblerTarget is what the assembler makes code for: nothing older than sm_75.
func assemblerTarget(target string) string {
	if n, err := strconv.Atoi(target); err == nil && n < 75 {
		return "sm_75"
	}
	return "sm_" + target
}

// accepted judges lines for a target and a version.
func accepted(t *testing.T, ptxas, target, version string, list []*sample, take func(*sample)) {
	for part := range slices.Chunk(list, 1500) {
		lines := make([]string, len(part))
		for i, s := range part {
			lines[i] = s.line
		}
		for i, v := range judge(t, ptxas, assemblerTarget(target), requirementHead(target, version), lines, formsTail) {
			if v == "" {
				take(part[i])
			}
		}
	}
}

// TestWriteRequirements asks ptxas from which target and version on it takes the forms, and writes
// requirements.go.
func TestWriteRequirements(t *testing.T) {
	if !*writeRequirements {
		t.Skip("it writes requirements.go where -ptxas.generate is given")
	}
	requirements = nil // those that are there already
	ptxas := findPtxas()
	if ptxas == "" {
		t.Fatal("ptxas was not found: set PTXAS to it, or PTX_VENV to a virtual environment with nvidia-cuda-nvcc")
	}
	byForm := map[string][]*sample{}
	var all []*sample
	for _, f := range Forms() {
		byForm[f.Name] = samples(f)
		all = append(all, byForm[f.Name]...)
	}
	for _, name := range specialNames {
		t := canonical[SpecialType(name)]
		op := map[Type]string{U64: "mov.u64 ", Pred: "mov.pred "}[SpecialType(name)]
		if op == "" {
			op = "mov.u32 "
		}
		s := &sample{line: op + t + ", " + name + ";", version: -1, oldest: -1}
		byForm[name] = []*sample{s}
		all = append(all, s)
	}
	askTargets(t, ptxas, all)
	askVersions(t, ptxas, all)
	if err := os.WriteFile("requirements.go", []byte(requirementsFile(t, byForm)), 0o644); err != nil {
		t.Fatal(err)
	}
}

func askTargets(t *testing.T, ptxas string, all []*sample) {
	ask := func(i int, target string, list []*sample) {
		accepted(t, ptxas, target, "9.0", list, func(s *sample) { s.targets |= 1 << i })
	}
	last := baseTargets - 1
	ask(0, targetNames[0], all)
	ask(last, targetNames[last], all)
	var rest []*sample
	for _, s := range all {
		if s.targets == 1|1<<last {
			s.targets = allTargets
		} else {
			rest = append(rest, s)
		}
	}
	for i, target := range targetNames {
		if i != 0 && i != last {
			ask(i, target, rest)
		}
	}
}

// askVersions tries each version with the newest of the line's targets that it knows.
func askVersions(t *testing.T, ptxas string, all []*sample) {
	rest := all
	for v, version := range versionsOfPTX {
		byTarget := map[string][]*sample{}
		for _, s := range rest {
			if target := newest(s.targets, version); target != "" {
				byTarget[target] = append(byTarget[target], s)
			}
		}
		for target, list := range byTarget {
			accepted(t, ptxas, target, version, list, func(s *sample) { s.version = v })
		}
		askOldest(t, ptxas, v, all)
		rest = slices.DeleteFunc(slices.Clone(rest), func(s *sample) bool { return s.version >= 0 })
	}
	for _, s := range rest {
		t.Logf("never taken: %s", s.line)
	}
}

// askOldest does the same with the oldest target, where that is not one of all versions.
func askOldest(t *testing.T, ptxas string, v int, all []*sample) {
	byTarget := map[string][]*sample{}
	version, _ := parseVersion(versionsOfPTX[v])
	for _, s := range all {
		if target := targetNames[bits.TrailingZeros64(s.targets)%len(targetNames)]; s.targets != 0 &&
			s.oldest < 0 && s.targets&1 == 0 && !version.less(targetSince["sm_"+target]) {
			byTarget[target] = append(byTarget[target], s)
		}
	}
	for target, list := range byTarget {
		accepted(t, ptxas, target, versionsOfPTX[v], list, func(s *sample) { s.oldest = v })
	}
}

// lateOldest gives the oldest target of a form's samples, and the version for it where that is later
// than for the others.
func lateOldest(list []*sample) (target string, version int) {
	for i, s := range list {
		if s.oldest < 0 {
			return "", 0
		}
		t := targetNames[bits.TrailingZeros64(s.targets)]
		v, _ := parseVersion(versionsOfPTX[s.oldest])
		if i > 0 && (t != target || s.oldest != version) || s.oldest <= s.version || !targetSince["sm_"+t].less(v) {
			return "", 0
		}
		target, version = t, s.oldest
	}
	return target, version
}

func newest(targets uint64, version string) string {
	v, _ := parseVersion(version)
	best := ""
	for i, name := range targetNames {
		if targets>>i&1 != 0 && !v.less(targetSince["sm_"+name]) && (best == "" || i < baseTargets) {
			best = name
		}
	}
	return best
}

// deduced is one row: lines with all atoms need it.
type deduced struct {
	atoms   []string
	targets uint64
	version int
}

func (r *deduced) holds(s *sample) bool {
	for _, a := range r.atoms {
		if !slices.Contains(s.atoms, a) {
			return false
		}
	}
	return true
}

// deduce gives rows that tell what each sample needs: again and again the smallest set of atoms that
// explains most of what is not told yet. What a set needs is what all samples with it need.
func deduce(samples []*sample) (rows []*deduced) {
	told := func(s *sample) (targets uint64, version int) {
		targets = allTargets
		for _, r := range rows {
			if r.holds(s) {
				targets, version = targets&r.targets, max(version, r.version)
			}
		}
		return
	}
	for {
		var wrong []*sample
		for _, s := range samples {
			if targets, version := told(s); targets != s.targets || version != s.version {
				wrong = append(wrong, s)
			}
		}
		best := explain(samples, wrong, told)
		if best == nil {
			return rows
		}
		rows = append(rows, best)
	}
}

func explain(samples, wrong []*sample, told func(*sample) (uint64, int)) *deduced {
	for size := range 5 {
		counts := map[string]int{}
		for _, s := range wrong {
			subsets(s.atoms, size, func(set []string) { counts[strings.Join(set, " ")]++ })
		}
		var best *deduced
		most := 0
		for _, key := range slices.Sorted(func(yield func(string) bool) {
			for k := range counts {
				if !yield(k) {
					return
				}
			}
		}) {
			r := &deduced{atoms: strings.Fields(key), version: len(versionsOfPTX)}
			for _, s := range samples {
				if r.holds(s) {
					r.targets, r.version = r.targets|s.targets, min(r.version, s.version)
				}
			}
			gain := 0
			for _, s := range wrong {
				targets, version := told(s)
				if r.holds(s) && (targets&^r.targets != 0 || r.version > version) {
					gain++
				}
			}
			if gain > most {
				best, most = r, gain
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

// subsets gives the subsets of a size, in order.
func subsets(atoms []string, size int, give func([]string)) {
	var walk func(from int, set []string)
	walk = func(from int, set []string) {
		if len(set) == size {
			give(set)
			return
		}
		for i := from; i < len(atoms); i++ {
			walk(i+1, append(set[:len(set):len(set)], atoms[i]))
		}
	}
	walk(0, nil)
}

func requirementsFile(t *testing.T, byForm map[string][]*sample) string {
	var b strings.Builder
	b.WriteString("package ptx\n\n// Code generated by TestWriteRequirements; DO NOT EDIT.\n\n" +
		"// requirementTable says from which target and version of PTX on forms and special registers are there, as\n" +
		"// ptxas 13.0 does: name | modifiers, types by place, number of operands | targets | version.\n" +
		"const requirementTable = `\n")
	names := append([]string(nil), specialNames...)
	for _, f := range slices.Backward(Forms()) {
		names = slices.Insert(names, 0, f.Name)
	}
	for _, name := range names {
		list := slices.DeleteFunc(slices.Clone(byForm[name]), func(s *sample) bool { return s.version < 0 })
		if target, version := lateOldest(list); target != "" {
			fmt.Fprintf(&b, "%s |  | %s= | %s\n", name, target, versionsOfPTX[version])
		}
		for _, r := range deduce(list) {
			fmt.Fprintf(&b, "%s | %s | %s | %s\n", name, strings.Join(r.atoms, " "),
				spellTargets(r.targets), versionsOfPTX[r.version])
		}
	}
	b.WriteString("`\n")
	return b.String()
}

// spellTargets writes 80+ for all from one on, or the names of the targets.
func spellTargets(targets uint64) string {
	for i := range baseTargets {
		if targets == targetsFrom(i) {
			return targetNames[i] + "+"
		}
	}
	var names []string
	for i, name := range targetNames {
		if targets>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}
