package conformance

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
)

// A Library is a package as somebody pastes it into a notebook: its declarations, its tests among
// them, and a last cell that runs these.
type Library struct {
	Path  string
	decls []declaration
	main  string
}

// A declaration of a library, and those that it names, by their places in the list.
type declaration struct {
	text    string
	imports bool
	names   map[int]bool
}

// ReadLibrary reads the package in a directory. The error says why it cannot be a program of one
// file: what it imports is not there for cells, say.
func ReadLibrary(dir string) (*Library, error) {
	l := &Library{Path: filepath.Base(dir)}
	source, err := l.paste(dir)
	if err != nil {
		return nil, err
	}
	checker, err := check.New(nil)
	if err != nil {
		return nil, err
	}
	k, err := checker.Check(1, source)
	if err != nil {
		return nil, err
	}
	l.decls, err = divided(source)
	if err == nil && len(l.decls) == 0 {
		err = fmt.Errorf("%s declares nothing", dir)
	}
	if err != nil {
		return nil, err
	}
	l.follow(source, k)
	return l, nil
}

// Program is the whole library.
func (l *Library) Program() string {
	var b strings.Builder
	b.WriteString("package main\n")
	for _, d := range l.decls {
		b.WriteString(d.text + "\n")
	}
	return b.String() + "func main() {\n" + l.main + "}\n"
}

// paste makes one file of those of the package and its tests, and writes main.
func (l *Library) paste(dir string) (string, error) {
	p, err := build.Default.ImportDir(dir, 0)
	if err != nil {
		return "", err
	}
	if len(p.CgoFiles)+len(p.SFiles) > 0 {
		return "", fmt.Errorf("%s is not Go alone", dir)
	}
	imports, body := map[string]string{}, ""
	var tests []string
	fset := token.NewFileSet()
	for _, name := range slices.Concat(p.GoFiles, p.TestGoFiles) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		f, err := parser.ParseFile(fset, name, text, 0)
		if err != nil {
			return "", err
		}
		for _, i := range f.Imports {
			if err := addImport(imports, i); err != nil {
				return "", err
			}
		}
		for _, d := range f.Decls {
			if isImport(d) || isFunc(d, "TestMain") || isFunc(d, "main") {
				continue
			}
			body += string(text[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset]) + "\n"
			fn, ok := d.(*ast.FuncDecl)
			if ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Type.Params.NumFields() == 1 {
				tests = append(tests, fn.Name.Name)
			}
		}
	}
	l.main = "_ = 0\n"
	if len(tests) > 0 {
		imports["testing"], imports["fmt"] = "testing", "fmt"
		l.main = "fmt.Println(testing.RunTests(func(string, string) (bool, error) { return true, nil }, " +
			"[]testing.InternalTest{\n"
		for _, t := range tests {
			l.main += fmt.Sprintf("\t{%q, %s},\n", t, t)
		}
		l.main += "}))\n"
	}
	head := "package main\n"
	for _, name := range slices.Sorted(maps.Keys(imports)) {
		head += "import " + name + " " + strconv.Quote(imports[name]) + "\n"
	}
	return head + body + "func main() {\n" + l.main + "}\n", nil
}

func addImport(all map[string]string, i *ast.ImportSpec) error {
	path, err := strconv.Unquote(i.Path.Value)
	if err != nil {
		return err
	}
	name := path[strings.LastIndex(path, "/")+1:]
	if i.Name != nil {
		name = i.Name.Name
	}
	if name == "v2" {
		name = "rand" // math/rand/v2
	}
	if name == "_" || name == "." {
		return fmt.Errorf("import %s %q", name, path)
	}
	if was := all[name]; was != "" && was != path {
		return fmt.Errorf("%s is %s and %s", name, was, path)
	}
	all[name] = path
	return nil
}

// divided are the declarations of a program, but for main.
func divided(source string) (list []declaration, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", source, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		if !isFunc(d, "main") {
			text := source[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset]
			list = append(list, declaration{text: text, imports: isImport(d), names: map[int]bool{}})
		}
	}
	return list, nil
}

// follow finds which declarations name which.
func (l *Library) follow(source string, k *check.Checked) {
	lines := []int{0}
	for i, c := range source {
		if c == '\n' {
			lines = append(lines, i+1)
		}
	}
	starts := make([]int, len(l.decls))
	at := 0
	for i, d := range l.decls {
		at += strings.Index(source[at:], d.text)
		starts[i] = at
		at += len(d.text)
	}
	place := func(pos token.Pos) int {
		p := k.Unit.Fset.Position(pos)
		offset := lines[p.Line-1] + p.Column - 1
		i, found := slices.BinarySearch(starts, offset)
		if !found {
			i--
		}
		return i
	}
	end := func(i int) int { return starts[i] + len(l.decls[i].text) }
	main := end(len(l.decls) - 1)
	for id, o := range k.Unit.Info.Uses {
		p := k.Unit.Fset.Position(id.Pos())
		if lines[p.Line-1]+p.Column-1 > main {
			continue
		}
		if _, ok := o.(*types.PkgName); ok {
			continue
		}
		if f, ok := o.(*types.Func); ok {
			o = f.Origin()
		}
		if o.Pkg() != k.Unit.Pkg {
			continue
		}
		if from, to := place(id.Pos()), place(o.Pos()); from != to {
			l.decls[from].names[to] = true
		}
	}
}

// Paste gives the library to try cell by cell, in an order in which each names only what is there:
// in that of the files or, given a source of numbers, in any; and then main. Those that name each
// other are one cell, and the imports are the first. A cell that try refuses comes again after the
// others: what it needs is not always written in it, for an interface asks for methods that nothing
// names. Where all that is left is refused, such cells need each other, as Go has it, and become
// one.
func (l *Library) Paste(order *rand.Rand, try func(cell string) error) error {
	cells := l.cells(order)
	for together := false; len(cells) > 0; {
		var left []string
		var refused error
		for _, c := range cells {
			err := try(c)
			if err != nil && !IsRefusal(err) {
				return err
			}
			if err != nil {
				left, refused = append(left, c), err
			}
		}
		if len(left) == len(cells) {
			if together || len(left) == 1 {
				return fmt.Errorf("%d cells are refused: %w", len(left), refused)
			}
			left, together = []string{strings.Join(left, "\n")}, true
		}
		cells = left
	}
	return try(l.main)
}

// cells are the declarations in an order in which each names only what is there.
func (l *Library) cells(order *rand.Rand) []string {
	groups, of := l.groups()
	rank := make([]int, len(groups)) // of a group, that of its first declaration
	for g := range rank {
		rank[g] = groups[g][0]
	}
	if order != nil {
		order.Shuffle(len(rank), func(i, j int) { rank[i], rank[j] = rank[j], rank[i] })
	}
	byRank := func(a, b int) int { return rank[a] - rank[b] }
	var imports, cells []string
	done := make([]bool, len(groups))
	var add func(g int)
	add = func(g int) {
		if done[g] {
			return
		}
		done[g] = true
		var text []string
		needs := map[int]bool{}
		for _, m := range groups[g] {
			text = append(text, l.decls[m].text)
			for n := range l.decls[m].names {
				needs[of[n]] = true
			}
		}
		for _, n := range slices.SortedFunc(maps.Keys(needs), byRank) {
			add(n)
		}
		if l.decls[groups[g][0]].imports {
			imports = append(imports, text...)
		} else {
			cells = append(cells, strings.Join(text, "\n"))
		}
	}
	all := make([]int, len(groups))
	for g := range all {
		all[g] = g
	}
	slices.SortFunc(all, byRank)
	for _, g := range all {
		add(g)
	}
	return append([]string{strings.Join(imports, "\n")}, cells...)
}

// groups are the declarations that name each other, and which of them a declaration is in (Tarjan's
// algorithm).
func (l *Library) groups() (groups [][]int, of []int) {
	of = make([]int, len(l.decls))
	index, low := make([]int, len(l.decls)), make([]int, len(l.decls))
	on := make([]bool, len(l.decls))
	var stack []int
	next := 1
	var visit func(v int)
	visit = func(v int) {
		index[v], low[v] = next, next
		next++
		stack, on[v] = append(stack, v), true
		for w := range l.decls[v].names {
			switch {
			case index[w] == 0:
				visit(w)
				low[v] = min(low[v], low[w])
			case on[w]:
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] != index[v] {
			return
		}
		i := slices.Index(stack, v)
		group := slices.Sorted(slices.Values(stack[i:]))
		for _, w := range group {
			on[w], of[w] = false, len(groups)
		}
		stack = stack[:i]
		groups = append(groups, group)
	}
	for v := range l.decls {
		if index[v] == 0 {
			visit(v)
		}
	}
	return groups, of
}
