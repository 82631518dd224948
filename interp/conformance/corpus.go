package conformance

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

//go:embed testdata
var testdata embed.FS

// A Program is one of the corpus.
type Program struct {
	Theme, Name string
	Source      string
	// Whole says that the program cannot be cut into cells: its first line is "// whole".
	Whole bool
	Want  Outcome
}

// ID names the program among all: theme/name.
func (p Program) ID() string { return p.Theme + "/" + p.Name }

// An Outcome is what a program did.
type Outcome struct {
	Stdout string
	// Exit is the exit status: 0, what os.Exit was given, or 2 after a panic.
	Exit int
	// Panic is what the runtime prints of a panic that nothing recovered, without the goroutines:
	// "panic: ...".
	Panic string
}

// Corpus returns all programs, by theme and by their order in it. In the folder of a release are
// the outcomes that are others there, and programs that only it and later releases have.
func Corpus() ([]Program, error) {
	files, err := fs.Glob(testdata, "testdata/*.txtar")
	if err != nil {
		return nil, err
	}
	ofRelease, err := fs.Glob(testdata, path.Join("testdata", gorelease.Name, "*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, f := range ofRelease {
		if !slices.Contains(files, path.Join("testdata", path.Base(f))) {
			files = append(files, f)
		}
	}
	sort.Strings(files)
	var all []Program
	for _, f := range files {
		ps, err := readTheme(f)
		if err != nil {
			return nil, err
		}
		all = append(all, ps...)
	}
	return all, nil
}

// readTheme reads a theme's file, with what differs at this release.
func readTheme(file string) ([]Program, error) {
	text, err := testdata.ReadFile(file)
	if err != nil {
		return nil, err
	}
	a := txtar.Parse(text)
	here, err := testdata.ReadFile(path.Join("testdata", gorelease.Name, path.Base(file)))
	if err == nil && path.Dir(file) == "testdata" {
		a.Files = replaced(a.Files, txtar.Parse(here).Files)
	}
	ps, err := parseTheme(strings.TrimSuffix(path.Base(file), ".txtar"), txtar.Format(a))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return ps, nil
}

// replaced is a list of files with some in the place of those of the same names.
func replaced(files, with []txtar.File) []txtar.File {
	for _, w := range with {
		files = slices.DeleteFunc(files, func(f txtar.File) bool { return f.Name == w.Name })
	}
	return append(files, with...)
}

// parseTheme reads a theme: for each program name.go, name.out (standard output) and, unless it
// ended well, name.exit: the exit status and the panic's text.
func parseTheme(theme string, text []byte) ([]Program, error) {
	parts := map[string]string{}
	var names []string
	for _, f := range txtar.Parse(text).Files {
		if _, dup := parts[f.Name]; dup {
			return nil, fmt.Errorf("%s stands twice", f.Name)
		}
		parts[f.Name] = string(f.Data)
		if name, ok := strings.CutSuffix(f.Name, ".go"); ok {
			names = append(names, name)
		}
	}
	ps := make([]Program, len(names))
	for i, name := range names {
		src := parts[name+".go"]
		ps[i] = Program{Theme: theme, Name: name, Source: src, Whole: strings.HasPrefix(src, "// whole\n")}
		ps[i].Want.Stdout = parts[name+".out"]
		status, panicText, _ := strings.Cut(parts[name+".exit"], "\n")
		if status == "" {
			continue
		}
		n, err := strconv.Atoi(status)
		if err != nil {
			return nil, fmt.Errorf("%s.exit: %w", name, err)
		}
		ps[i].Want.Exit, ps[i].Want.Panic = n, strings.TrimSuffix(panicText, "\n")
	}
	return ps, nil
}

// FormatTheme writes programs as a theme's file.
func FormatTheme(ps ...Program) []byte { return formatTheme(nil, ps) }

// formatTheme is parseTheme's way back.
func formatTheme(comment []byte, ps []Program) []byte {
	a := txtar.Archive{Comment: comment}
	add := func(name, text string) { a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)}) }
	for _, p := range ps {
		add(p.Name+".go", p.Source)
		if p.Want.Stdout != "" {
			add(p.Name+".out", p.Want.Stdout)
		}
		if p.Want.Exit != 0 {
			add(p.Name+".exit", strings.TrimRight(fmt.Sprintf("%d\n%s", p.Want.Exit, p.Want.Panic), "\n")+"\n")
		}
	}
	return txtar.Format(&a)
}
