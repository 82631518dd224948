package tree

import (
	"go/ast"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// factsRoom is the only folder that knows what a Go release does not promise.
const factsRoom = "interp/gorelease"

// pointers are the folders whose code may turn pointers into others, and what for: none for memory of
// the runtime, whose layouts and functions it has from factsRoom. A folder that does
// not import unsafe any more is taken out.
var pointers = map[string]string{
	"interp/rtype":                "makes descriptors and values of gorelease's types",
	"interp/rtype/internal/twins": "has values of unsafe types, for tests",
	"interp/pctab":                "makes modules of gorelease's types",
	"interp/engine":               "a pointer to a variable of cells",
	"interp/engine/machine":       "frames of its own",
	"interp/engine/vm":            "a *testing.T of cells, by its address",
	"interp/engine/calls":         "words of arguments and results in frames",
	"interp/engine/lower":         "values in frames, unsafe in cells",
	"egraph":                      "slabs of its own",
	"interp/engine/link":          "memory of cells' variables",
	"interp/engine/standin":       "a *testing.T of cells, by its address",
	"interp/engine/yaegi":         "memory of cells' values",
	"interp/symbols":              "pointers of package weak, by its own functions",
	"kernel/direct":               "arguments of system calls",
	"kernel/worker/serve":         "arguments of system calls",
	"cuda":                        "memory of devices and of C",
	"cuda/driver":                 "memory of C",
	"cuda/driver/native":          "memory of C: libcuda's structs",
	"cuda/driver/emulated":        "memory of the emulated device",
	"cuda/driver/drivertest":      "memory of devices",
	"cuda/nvrtc":                  "memory of C",
	"cuda/nvtx":                   "memory of C",
	"cuda/ptx/vm":                 "memory of the emulated device",
}

// links are the files that link a private function, and why factsRoom does not have it.
var links = map[string]string{
	"cuda/driver/native/ccall_amd64.go": "runtime.cgocall, for packages that compiled programs import without the kernel",
}

// assemblers are the folders outside of factsRoom with assembly, and what for.
var assemblers = map[string]string{"cuda/driver/native": "calls of C"}

// private is the name of something that a package of the library does not export.
var private = regexp.MustCompile(`^(runtime|reflect|sync|testing|log/slog|go/types|internal/[a-z/]+)\.[a-z]\w*$`)

// names are the folders with such names in text, which are not used to find anything.
var names = map[string]string{
	"interp/engine":         "functions that stacks of panics show",
	"interp/engine/callers": "functions that stacks of goroutines show",
	"interp/engine/yaegi":   "names that sources of generic functions have in interp/check/exportdata",
}

// TestOnlyOneRoomKnowsTheGoRelease is that what a release does not promise stands in factsRoom.
func TestOnlyOneRoomKnowsTheGoRelease(t *testing.T) {
	used := map[string]bool{}
	for _, f := range files(t) {
		if f.test() || strings.HasPrefix(f.folder(), factsRoom) || strings.Contains(f.path, "testdata/") {
			continue
		}
		complain := func(n ast.Node, what string) {
			t.Errorf("%s:%d: %s: have it in %s", f.path, f.set.Position(n.Pos()).Line, what, factsRoom)
		}
		if i := importOf(f, `"unsafe"`); i != nil {
			if used[f.folder()] = true; pointers[f.folder()] == "" {
				complain(i, "imports unsafe, and no row of pointers says what for")
			}
		}
		if links[f.path] == "" {
			linked(f, complain)
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if s := text(n); private.MatchString(s) && names[f.folder()] == "" {
					complain(n, s+" is private")
				}
			case *ast.CallExpr:
				if s := fieldOf(n); s != "" && !ast.IsExported(s) {
					complain(n, "looks for the private field "+s)
				}
			}
			return true
		})
	}
	for folder := range pointers {
		if !used[folder] {
			t.Errorf("%s does not import unsafe: take it out of pointers", folder)
		}
	}
}

// TestAssembly is that assembly stands in factsRoom.
func TestAssembly(t *testing.T) {
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		folder, _ := filepath.Rel(root, filepath.Dir(p))
		switch folder = filepath.ToSlash(folder); {
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && p != root, d.IsDir() && d.Name() == "testdata":
			return filepath.SkipDir
		case filepath.Ext(p) == ".s" && folder != factsRoom && assemblers[folder] == "":
			t.Errorf("%s is assembly: have it in %s", p, factsRoom)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func importOf(f *file, path string) *ast.ImportSpec {
	for _, i := range f.syntax.Imports {
		if i.Path.Value == path {
			return i
		}
	}
	return nil
}

// linked finds the directives that link private functions.
func linked(f *file, complain func(ast.Node, string)) {
	for _, g := range f.syntax.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//go:linkname") {
				complain(c, "links a private function")
			}
		}
	}
}

// text is the value of a literal, "" if it is no string.
func text(l *ast.BasicLit) string {
	if l.Kind != token.STRING {
		return ""
	}
	s, _ := strconv.Unquote(l.Value)
	return s
}

// fieldOf is the field that a call of FieldByName asks for, "" where it is no such call.
func fieldOf(call *ast.CallExpr) string {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != "FieldByName" || len(call.Args) != 1 {
		return ""
	}
	if l, ok := call.Args[0].(*ast.BasicLit); ok {
		return text(l)
	}
	return ""
}
