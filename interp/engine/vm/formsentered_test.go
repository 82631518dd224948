package vm_test

import (
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/lawtest/entered"
)

// isForm reports whether a function literal is what an instruction, a value, an address or the end of a block is
// compiled to: a function of a frame.
func isForm(f *ast.FuncLit) bool {
	list := f.Type.Params.List
	if len(list) != 1 {
		return false
	}
	name := list[0].Type
	if s, ok := name.(*ast.SelectorExpr); ok {
		name = s.Sel
	}
	id, ok := name.(*ast.Ident)
	return ok && strings.EqualFold(id.Name, "pointer")
}

// enteringKinds are kinds of values that have all forms between them.
var enteringKinds = []string{"int", "int16", "uint64", "float64", "complex128", "string", "*int"}

// TestFormsAreEntered fails where the source has a form that no program of TestForms is compiled to and executes: write
// the program (formsprograms_test.go).
func TestFormsAreEntered(t *testing.T) {
	binary, profile := entered.Build(t, "../..."), filepath.Join(t.TempDir(), "profile")
	var p entered.Profile
	for _, kind := range enteringKinds {
		formsIn(t, binary, kind, "-test.coverprofile="+profile)
		if err := p.Add(profile); err != nil {
			t.Fatal(err)
		}
	}
	missing, err := p.Missing()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range missing {
		if n := len(s.Literals); n == 0 || !isForm(s.Literals[n-1]) || !s.Entry {
			continue
		}
		if seen[s.Func] = true; !slices.Contains(oneForm, s.Func) {
			t.Errorf("no comparison enters %s", s)
		}
	}
	for _, f := range oneForm {
		if !seen[f] {
			t.Errorf("%s is entered whole: it is not to be listed", f)
		}
	}
}

// oneForm are the functions that make the only form of an instruction, or fail in some of it: what they make is
// compared with compiled Go by the tests of the conformance corpus. Calls of compiled functions have several forms, by
// what they are given in registers: registers_test.go has those.
var oneForm = strings.Fields(`
	buildAppend buildClear buildClose buildComplex buildCopy buildDeferStack buildNilCheck buildPrint
	inTurn wrappedCall buildMakeChan buildSend receive comparison emptyInterface
	interfaceComparison ToMethod reflectCall endPanic convert fromString sliceToArray toString buildDefer values
	directNothing directPair buildGo lateInterface buildRange nextRune
	keptArguments buildMakeMap buildAlloc compiledFunc nativeCall rangeFuncPanic nothing registerOp returningAll
	returningPair buildSelect buildMakeSlice buildSliceToArrayPointer standardFiles
	buildUnsafeAdd buildUnsafeSlice buildUnsafeSliceData buildUnsafeString buildUnsafeStringData
	call0 call1 call2 call3r call3rr wordCall1 wordCall2 wordCall2r method0 method0r method0rr
	buildCap buildLen buildTypeAssert setInt`)
