package tree

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// opening are the calls that make a descriptor, by package.
var opening = map[string][]string{
	"os":   {"Open", "OpenFile", "Create", "CreateTemp", "Pipe", "NewFile", "StartProcess"},
	"net":  {"Listen", "ListenConfig", "ListenTCP", "Dial", "DialTimeout", "Dialer", "DialTCP"},
	"exec": {"Command", "CommandContext"},
	"unix": {"Open", "Pipe", "Pipe2", "EpollCreate1", "Socketpair", "MemfdCreate"},
}

// hanging are the packages whose tests leave goroutines behind on purpose.
var hanging = map[string]bool{"lawtest": true} // it judges calls that hang

// TestPackagesLookForLeaks is that the tests of a package that starts goroutines or opens
// descriptors count them when they are over: TestMain, with package leaktest.
func TestPackagesLookForLeaks(t *testing.T) {
	all := packages(t)
	tested, looks := map[string]bool{}, map[string]bool{}
	for _, f := range files(t) {
		if f.test() {
			tested[f.folder()] = true
			looks[f.folder()] = looks[f.folder()] || strings.Contains(f.text, "leaktest.Run(")
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(all)) {
		why := makes(all[folder])
		if why != "" && tested[folder] && !looks[folder] && !hanging[folder] && room(folder) != "bench" {
			t.Errorf("%s (%s) has no TestMain with leaktest.Run", folder, why)
		}
	}
}

// makes is where files first start a goroutine or open a descriptor.
func makes(files []*file) (where string) {
	for _, f := range files {
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if where == "" && starts(n) {
				where = f.set.Position(n.Pos()).String()
			}
			return where == ""
		})
	}
	return where
}

func starts(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.CallExpr:
		sel, ok := n.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x, ok := sel.X.(*ast.Ident)
		return ok && slices.Contains(opening[x.Name], sel.Sel.Name)
	}
	return false
}
