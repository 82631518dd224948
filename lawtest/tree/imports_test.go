package tree

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A row is a line of the table of docs/architecture.md: a package, and the packages of other rooms
// that it imports. A room is a folder of the root.
type row struct {
	line    int
	imports []string
	all     bool
}

var (
	rowForm = regexp.MustCompile("^\\| `([a-z0-9_/-]+)` \\|[^|]*\\|([^|]*)\\|$")
	quoted  = regexp.MustCompile("`([^`]+)`")
)

// table reads the rows under "## The rooms".
func table(t *testing.T) map[string]row {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]row{}
	within := false
	for i, line := range strings.Split(string(b), "\n") {
		if strings.HasPrefix(line, "## ") {
			within = strings.HasPrefix(line, "## The rooms")
		}
		m := rowForm.FindStringSubmatch(line)
		if !within || m == nil {
			continue
		}
		if _, twice := rows[m[1]]; twice {
			t.Errorf("architecture.md:%d: %s has two rows", i+1, m[1])
		}
		r := row{line: i + 1, all: strings.TrimSpace(m[2]) == "all"}
		for _, q := range quoted.FindAllStringSubmatch(m[2], -1) {
			r.imports = append(r.imports, q[1])
		}
		rows[m[1]] = r
	}
	if len(rows) < 40 {
		t.Fatalf("%d rows: the table has another form", len(rows))
	}
	return rows
}

func room(pkg string) string {
	first, _, _ := strings.Cut(pkg, "/")
	return first
}

// TestImportsAreInTheTable compares the table of docs/architecture.md with what the files import.
func TestImportsAreInTheTable(t *testing.T) {
	rows, all := table(t), packages(t)
	for _, pkg := range slices.Sorted(maps.Keys(all)) {
		r, ok := rows[pkg]
		if !ok {
			t.Errorf("docs/architecture.md: %s has no row in the table", pkg)
			continue
		}
		found := imports(all[pkg])
		for _, p := range found {
			if !r.all && !slices.Contains(r.imports, p) {
				t.Errorf("%s imports %s, which its row (docs/architecture.md:%d) does not allow", pkg, p, r.line)
			}
		}
		for _, p := range r.imports {
			if !slices.Contains(found, p) {
				t.Errorf("docs/architecture.md:%d: %s does not import %s", r.line, pkg, p)
			}
		}
	}
	for _, pkg := range slices.Sorted(maps.Keys(rows)) {
		if len(all[pkg]) == 0 {
			t.Errorf("docs/architecture.md:%d: there is no package %s", rows[pkg].line, pkg)
		}
	}
}

// imports are the packages of other rooms that files of a package import.
func imports(files []*file) []string {
	found := map[string]bool{}
	for _, f := range files {
		for _, i := range f.syntax.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if p, ours := strings.CutPrefix(p, module+"/"); err == nil && ours && room(p) != room(f.path) {
				found[p] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// TestNoRoomIsNamed finds strings that name a package of another room which the table does not let
// the package import: a dependency that the compiler does not see.
func TestNoRoomIsNamed(t *testing.T) {
	rows, all := table(t), packages(t)
	for _, pkg := range slices.Sorted(maps.Keys(all)) {
		r := rows[pkg]
		if r.all {
			continue
		}
		for _, f := range all[pkg] {
			for _, named := range roomsNamed(f, all) {
				if room(named.pkg) != room(pkg) && !slices.Contains(r.imports, named.pkg) {
					t.Errorf("%s: %q names package %s; let the command register it", named.at, named.text, named.pkg)
				}
			}
		}
	}
}

type naming struct {
	at        token.Position
	text, pkg string
}

func roomsNamed(f *file, all map[string][]*file) (found []naming) {
	if f.generated {
		return nil
	}
	imported := map[*ast.BasicLit]bool{}
	for _, i := range f.syntax.Imports {
		imported[i.Path] = true
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING || imported[lit] {
			return true
		}
		text, _ := strconv.Unquote(lit.Value)
		_, rest, ok := strings.Cut(text, "vyre-kernel/")
		rest = strings.TrimPrefix(rest, "vyre-kernel/")
		if pkg := longest(rest, all); ok && pkg != "" {
			found = append(found, naming{f.set.Position(lit.Pos()), text, pkg})
		}
		return true
	})
	return found
}

// longest is the package whose path text begins with, or "".
func longest(text string, all map[string][]*file) (pkg string) {
	for p := range all {
		if strings.HasPrefix(text+"/", p+"/") || strings.HasPrefix(text, p+".") {
			if len(p) > len(pkg) {
				pkg = p
			}
		}
	}
	return pkg
}

// TestNamesInStringsAreSeen holds TestNoRoomIsNamed to finding something.
func TestNamesInStringsAreSeen(t *testing.T) {
	all := packages(t)
	for text, want := range map[string]string{
		`"github.com/vyre-kernel/vyre-kernel/cuda"`:         "cuda",
		`"vyre-kernel/interp/engine/vm.(*x).run"`:           "interp/engine/vm",
		`"` + module + `/egraph" + "/x"`:                    "egraph",
		`"github.com/vyre-kernel/vyre-kernel/cudamatrices"`: "",
		`"share/vyre-kernel/cells"`:                         "",
	} {
		set := token.NewFileSet()
		syntax, err := parser.ParseFile(set, "p.go", "package p\n\nvar s = "+text+"\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, n := range roomsNamed(&file{path: "p.go", syntax: syntax, set: set}, all) {
			got = n.pkg
		}
		if got != want {
			t.Errorf("%s names %q, want %q", text, got, want)
		}
	}
}
