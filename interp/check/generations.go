package check

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
)

// Types of one name, declared by several cells, look the same in an error: the notes below tell
// them apart.

// twins are the errors that name two types, which differ.
var twins = []*regexp.Regexp{
	regexp.MustCompile(`^cannot use .* \((?:.* )?type (.+)\) as (.+?) value(?: in .*)?$`),
	regexp.MustCompile(`\(mismatched types (.+) and (.+)\)$`),
	regexp.MustCompile(`, type (.+) of .+ does not match (?:inferred type )?(.+?)(?: for .+)?$`),
	regexp.MustCompile(`^cannot convert .* \((?:.* )?type (.+)\) to type (.+)$`),
}

var word = regexp.MustCompile(`[\pL_][\pL_\pN]*`)

// generations says of each type that an error names, and that cells declared more than once, where
// what is used has an earlier one.
func (p *pass) generations(msg string) (notes []string) {
	same := ""
	for _, t := range twins {
		if m := t.FindStringSubmatch(msg); m != nil && m[1] == m[2] {
			same = m[1]
		}
	}
	unsatisfied := strings.Contains(msg, " does not satisfy ") || strings.Contains(msg, " does not implement ") ||
		strings.Contains(msg, " undefined (type ")
	for _, name := range word.FindAllString(msg, -1) {
		now, _ := p.pkg.Scope().Lookup(name).(*types.TypeName)
		was, _ := p.env.objects[name].(*types.TypeName)
		var note string
		switch {
		case now != nil && was != nil && (same != "" || unsatisfied):
			if users := p.mention(was); len(users) > 0 {
				note = fmt.Sprintf("%s is a new type in this cell: %s still %s the one declared before%s", name,
					strings.Join(users, ", "), plural(users, "has", "have"), p.env.in(was))
			}
		case was != nil && slices.Contains(word.FindAllString(same, -1), name):
			note = fmt.Sprintf("these are two types %s: %s was declared again%s, and what was declared before that has the "+
				"earlier one%s, until its cell is run again", name, name, p.env.in(was), p.env.in(p.formerly(was)))
		}
		if note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}

// A span is where a cell declares types, among the positions of all cells.
type span struct {
	from, to token.Pos
	cell     int
}

// place keeps which cell declared the types of a unit that is committed.
func (e *env) place(k *Checked) {
	s := span{cell: k.low.cell.Number}
	for _, o := range k.objects() {
		_, isType := o.(*types.TypeName)
		if n := len(e.spans); isType && (n == 0 || o.Pos() > e.spans[n-1].to) { // it is no earlier cell's
			if s.from == token.NoPos || o.Pos() < s.from {
				s.from = o.Pos()
			}
			s.to = max(s.to, o.Pos())
		}
	}
	if s.to.IsValid() {
		e.spans = append(e.spans, s)
	}
}

// in tells which cell declared a type, as the end of a sentence; nothing where that is not known.
func (e *env) in(o *types.TypeName) string {
	if o == nil {
		return ""
	}
	i, ok := slices.BinarySearchFunc(e.spans, o.Pos(), func(s span, p token.Pos) int {
		switch {
		case s.to < p:
			return -1
		case s.from > p:
			return 1
		}
		return 0
	})
	if !ok {
		return ""
	}
	return " in " + cell.Name(e.spans[i].cell)
}

// formerly is an earlier type of the name, which something that cells declared still has.
func (p *pass) formerly(now *types.TypeName) (found *types.TypeName) {
	for _, o := range p.env.objects {
		mentions(o.Type(), func(t *types.TypeName) bool {
			if t != now && t.Name() == now.Name() && t.Pkg() != nil && t.Pkg().Path() == now.Pkg().Path() &&
				(found == nil || t.Pos() > found.Pos()) {
				found = t
			}
			return false
		}, map[types.Type]bool{})
	}
	return found
}
