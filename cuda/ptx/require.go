package ptx

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// From which target and version of PTX on an instruction is there: requirements.go has the table.

//go:generate go test -run TestWriteRequirements -ptxas.generate

// targetNames are those that ptxas 13.0 knows: baseTargets of all architectures from theirs on,
// then those of one architecture or its family alone.
var targetNames = strings.Fields(`20 30 32 35 37 50 52 53 60 61 62 70 72 75 80 86 87 88 89 90 100 103 110 120 121
	90a 100a 103a 110a 120a 121a 100f 103f 110f 120f 121f`)

const baseTargets = 25

var allTargets = targetsFrom(0)

// targetsFrom is a bit for each target from one on.
func targetsFrom(i int) (set uint64) {
	least, _ := strconv.Atoi(targetNames[i])
	for k, name := range targetNames {
		if n, _ := strconv.Atoi(strings.TrimRight(name, "af")); n >= least {
			set |= 1 << k
		}
	}
	return set
}

// targetBit is that of a target, or of the newest architecture below one that is not known.
func targetBit(name string) uint64 {
	name = strings.TrimPrefix(name, "sm_")
	if i := slices.Index(targetNames, name); i >= 0 {
		return 1 << i
	}
	n, _ := strconv.Atoi(strings.TrimRight(name, "af"))
	bit := uint64(1)
	for i, other := range targetNames[:baseTargets] {
		if o, _ := strconv.Atoi(other); o <= n {
			bit = 1 << i
		}
	}
	return bit
}

// requirement is what an instruction with all of the modifiers, types and number of operands needs.
type requirement struct {
	mods     []string
	absent   []string // none of whose group stands there
	types    map[int]string
	operands int // -1 for any
	targets  uint64
	only     uint64 // the one target that the version is for; 0 for all
	names    string
	version  Version
}

// directiveTable has the directives and attributes that not all targets and versions have, as ptxas
// 13.0 does.
const directiveTable = `
.reqnctapercluster |  | 90+ | 7.8
.explicitcluster |  | 90+ | 7.8
.maxclusterrank |  | 90+ | 7.8
.blocksareclusters |  | 90+ | 9.0
.noreturn |  | 30+ | 6.4
.abi_preserve |  | 80+ | 9.0
.abi_preserve_control |  | 80+ | 9.0
.alias |  | 30+ | 6.3
.managed |  | 30+ | 6.0
.unified |  | 90+ | 8.0
`

// checkDirective refuses a directive that the text's target or version does not have.
func (p *parser) checkDirective(name string) {
	for _, r := range p.module.missing("." + name) {
		p.fail("%s", r.want(p.module, "."+name))
	}
}

// requirements are those of a form's name, or a special register's.
var requirements = func() map[string][]requirement {
	m := map[string][]requirement{}
	for _, line := range strings.Split(strings.TrimSpace(requirementTable+directiveTable), "\n") {
		if name, rest, ok := strings.Cut(line, " | "); ok {
			m[name] = append(m[name], parseRequirement(rest))
		}
	}
	return m
}()

func parseRequirement(text string) requirement {
	col := strings.Split(text, "|")
	r := requirement{operands: -1, types: map[int]string{}, names: strings.TrimSpace(col[1])}
	for _, a := range strings.Fields(col[0]) {
		switch place, typ, isType := strings.Cut(a, ":"); {
		case a[0] == '#':
			r.operands, _ = strconv.Atoi(a[1:])
		case a[0] == '~':
			r.absent = append(r.absent, a[1:])
		case isType && len(place) == 1:
			r.types[int(place[0]-'0')] = typ
		default:
			r.mods = append(r.mods, a)
		}
	}
	if one, alone := strings.CutSuffix(r.names, "="); alone {
		r.targets, r.only = allTargets, targetBit(one)
	} else if from, later := strings.CutSuffix(r.names, "+"); later {
		r.targets, r.names = targetsFrom(slices.Index(targetNames, from)), "sm_"+from+" or higher"
	} else {
		for _, name := range strings.Fields(r.names) {
			r.targets |= 1 << slices.Index(targetNames, name)
		}
		r.names = "sm_" + strings.ReplaceAll(r.names, " ", ", sm_")
		if strings.Contains(r.names, " ") {
			r.names = "one of " + r.names
		}
	}
	r.version, _ = parseVersion(strings.TrimSpace(col[2]))
	return r
}

// concerns reports whether an instruction has all that the row names.
func (r *requirement) concerns(in *Instruction) bool {
	if r.operands >= 0 && r.operands != len(in.Operands) {
		return false
	}
	for _, m := range r.mods {
		if !in.Has(m) {
			return false
		}
	}
	for _, m := range r.absent {
		if in.form.hasOne(m, in) {
			return false
		}
	}
	if len(r.types) == 0 {
		return true
	}
	types := in.Types()
	for i, name := range r.types {
		if i >= len(types) || types[i].String() != name {
			return false
		}
	}
	return true
}

// missing gives the rows of a name that the text's target or version does not have.
func (m *Module) missing(name string) []*requirement {
	if rows, known := m.lacking[name]; known {
		return rows
	}
	var rows []*requirement
	for i := range requirements[name] {
		r := &requirements[name][i]
		if r.only != 0 && r.only != m.targets {
			continue
		}
		if m.targets&r.targets == 0 || m.Version.less(r.version) {
			rows = append(rows, r)
		}
	}
	m.lacking[name] = rows
	return rows
}

// want says what a text would have to have.
func (r *requirement) want(m *Module, what string) string {
	if m.targets&r.targets == 0 {
		return fmt.Sprintf(".target %s for %s: this text is for %s", r.names, what, m.Target[0])
	}
	return fmt.Sprintf(".version %s or later for %s: this text is of %s", r.version, what, m.Version)
}

// hasOne reports whether an instruction has a modifier of the group that begins with first.
func (f *Form) hasOne(first string, in *Instruction) bool {
	return slices.ContainsFunc(f.groups, func(g group) bool { return g.mods[0] == first && in.hasAny(g.mods) })
}

// checkRequirements refuses an instruction, or a special register of it, that the text's target or
// version does not have.
func (p *parser) checkRequirements(in *Instruction) {
	for _, r := range p.module.missing(in.form.Name) {
		if r.concerns(in) {
			p.failAt(p.tokenAt(in.Pos), "%s", r.want(p.module, in.Mnemonic()))
		}
	}
	for i := range in.Operands {
		o := &in.Operands[i]
		if o.Kind != OpSpecial {
			continue
		}
		for _, r := range p.module.missing(o.Name) {
			p.failAt(p.tokenAt(o.Pos), "%s", r.want(p.module, o.Name))
		}
	}
}
