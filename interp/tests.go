package interp

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
	"github.com/vyre-kernel/vyre-kernel/interp/magic"
)

// testKinds are what names of tests begin with, and what each takes.
var testKinds = []struct{ name, signature string }{
	{"Test", "func(*testing.T)"}, {"Benchmark", "func(*testing.B)"}, {"Fuzz", "func(*testing.F)"}, {"Example", "func()"},
}

// A TestSignatureError is a function with a test's name that takes something else, or gives it.
type TestSignatureError struct{ Name, Found, Want string }

func (e *TestSignatureError) Error() string {
	return fmt.Sprintf("%s is a %s: want a %s, or another name", e.Name, e.Found, e.Want)
}

// Tests are the functions of cells that package testing runs.
func (p *commandSession) Tests() (list []magic.Test, err error) {
	found := map[string]magic.Test{}
	for _, o := range p.s.check.Objects() {
		f, ok := o.(*types.Func)
		if !ok {
			continue
		}
		for _, k := range testKinds {
			if !isTestName(f.Name(), k.name) || f.Name() == "TestMain" {
				continue
			}
			if sig := signatureText(f); sig != k.signature {
				return nil, &TestSignatureError{f.Name(), sig, k.signature}
			}
			found[f.Name()] = magic.Test{Name: f.Name(), Kind: k.name}
		}
	}
	for _, t := range p.s.sources.tests() {
		if is, ok := found[t.Name]; ok && is.Kind != "" {
			t.Kind = is.Kind
			list = append(list, t)
			delete(found, t.Name)
		}
	}
	for _, o := range p.s.check.Objects() { // those of cells whose texts are not kept
		if t, ok := found[o.Name()]; ok {
			list = append([]magic.Test{t}, list...)
		}
	}
	return list, nil
}

// signatureText is the type of a function without the names of its parameters.
func signatureText(f *types.Func) string {
	sig := f.Signature()
	text := "func("
	for i := range sig.Params().Len() {
		if i > 0 {
			text += ", "
		}
		text += types.TypeString(sig.Params().At(i).Type(), (*types.Package).Path)
	}
	text += ")"
	if sig.Results().Len() > 0 {
		text += " " + types.TypeString(sig.Results(), (*types.Package).Path)
	}
	return text
}

// isTestName reports whether a name is the prefix, or the prefix and a word that does not begin in
// lower case.
func isTestName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	first, _ := utf8.DecodeRuneInString(rest)
	return ok && !unicode.IsLower(first)
}

// tests are the functions of cells in their order, the last of each name, with what examples print.
func (s *sources) tests() (list []magic.Test) {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := map[string]int{}
	for i, name := range s.order {
		_, text := magic.Split(s.texts[name], nil)
		c, err := cell.Split(i+1, text)
		if err != nil {
			continue
		}
		for _, f := range c.Funcs {
			if f.Recv == nil {
				last[f.Name.Name] = len(list)
				list = append(list, asTest(f, c.Text(f)))
			}
		}
	}
	kept := list[:0]
	for i, t := range list {
		if last[t.Name] == i {
			kept = append(kept, t)
		}
	}
	return kept
}

// asTest reads what an example says it prints.
func asTest(f *ast.FuncDecl, text string) magic.Test {
	t := magic.Test{Name: f.Name.Name}
	const mode = parser.ParseComments | parser.SkipObjectResolution
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+text, mode)
	if err != nil {
		return t
	}
	for _, e := range doc.Examples(file) {
		t.Output, t.Unordered, t.HasOutput = e.Output, e.Unordered, e.Output != "" || e.EmptyOutput
	}
	return t
}
