package interp

import (
	"context"
	"go/types"
	"slices"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/magic"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// maxValue bounds the text of a variable's value in a list.
const maxValue = 60

// maxType bounds the text of a type in a list.
const maxType = 100

// Variables lists what cells declared: variables with their values, functions, types, constants.
func (p *commandSession) Variables() []magic.Variable {
	var list []magic.Variable
	for _, o := range p.s.check.Objects() {
		v := magic.Variable{Name: o.Name(), Type: types.TypeString(o.Type(), shortName)}
		switch o := o.(type) {
		case *types.Var:
			v.Kind, v.Value = "variable", p.s.shortValue(o)
		case *types.Const:
			v.Kind, v.Value = "constant", o.Val().String()
		case *types.Func:
			v.Kind = "function"
		case *types.TypeName:
			v.Kind, v.Type = "type", types.TypeString(o.Type().Underlying(), shortName)
		}
		v.Type = cutText(v.Type, 1, maxType)
		list = append(list, v)
	}
	return list
}

// shortName qualifies names by their package's name, and those of cells not at all.
func shortName(p *types.Package) string {
	if p.Path() == "main" {
		return ""
	}
	return p.Name()
}

// shortValue is the text of a variable's value in one line, cut.
func (s *Session) shortValue(v *types.Var) string {
	return s.valueText(v, func(value any) string { return display.LineOf(value, maxValue) })
}

// valueText is a text of a variable's value. It is empty while cell code runs: what that
// changes meanwhile, a map above all, cannot be read.
func (s *Session) valueText(v *types.Var, textOf func(any) string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.current()
	executing := func(sh *shell) bool { return sh.cancel != nil }
	if slices.ContainsFunc(s.running, executing) || len(e.Goroutines()) > 0 {
		return ""
	}
	value, ok := e.Variable(v)
	if !ok {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), valueTime)
	defer cancel()
	text := ""
	if e.Do(ctx, func() { text = textOf(interfaceOf(value)) }) != nil {
		return ""
	}
	return text
}

// valueTime bounds the methods of cells that a value's text is made by: the cells that come wait
// for them.
const valueTime = 300 * time.Millisecond

// cutText is the beginning of a text: so many lines of so many characters together.
func cutText(text string, lines, characters int) string {
	for i, r := range text {
		if r == '\n' {
			lines--
		}
		if lines == 0 || characters == 0 {
			return text[:i] + "..."
		}
		characters--
	}
	return text
}
