package check

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"
	"strings"
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
				note = fmt.Sprintf("%s is a new type in this cell: %s still %s the one declared before", name,
					strings.Join(users, ", "), plural(users, "has", "have"))
			}
		case was != nil && slices.Contains(word.FindAllString(same, -1), name):
			note = fmt.Sprintf("these are two types %s: %s was declared again, and what was declared before that has the "+
				"earlier one, until its cell is run again", name, name)
		}
		if note != "" && !slices.Contains(notes, note) {
			notes = append(notes, note)
		}
	}
	return notes
}
