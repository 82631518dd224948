package ptx

import "fmt"

// Labels belong to the braces that they stand in, and are seen in those within: text that was put
// in several times, as inline assembly is, may place the same one in each. A function's outermost
// labels have their own names in Function.Labels, Targets and Prototypes, the others one with the
// scope's number behind "@".

// placeLabel enters a label in the scope and gives its name in the function.
func (p *parser) placeLabel(t token) string {
	p.unique(t.text, Pos{t.line, t.col})
	s := p.scopes[len(p.scopes)-1]
	name := t.text
	if len(p.scopes) > 1 {
		name = fmt.Sprintf("%s@%d", name, s.number)
	}
	s.labels[t.text] = name
	return name
}

// leaveScope ends the innermost scope: what named one of its labels, before or behind it, now names
// it for good.
func (p *parser) leaveScope() {
	s := p.scopes[len(p.scopes)-1]
	p.scopes = p.scopes[:len(p.scopes)-1]
	if len(s.labels) == 0 || len(p.scopes) == 0 {
		return
	}
	for i := s.code; i < len(p.fn.Code); i++ {
		s.bind(p.fn.Code[i].Operands)
	}
	for _, list := range p.lists[s.lists:] {
		for i, name := range list {
			if full, ok := s.labels[name]; ok {
				list[i] = full
			}
		}
	}
}

func (s *scope) bind(ops []Operand) {
	for i := range ops {
		o := &ops[i]
		s.bind(o.Elems)
		if full, ok := s.labels[o.Name]; ok && o.Kind == OpLabel {
			o.Name = full
		}
	}
}
