package check

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

// compilersWords are what the compiler says of a section: of a cell as the text of a file, of
// statements as the body of a function.
func compilersWords(t testing.TB, section txtar.File) string {
	const imports = `package main; import ("fmt"; "os"; "strings"); var _ = fmt.Sprint; var _ = os.Exit; var _ = strings.Cut;`
	text, source := "", string(section.Data)
	switch {
	case section.Name == "statements":
		text = imports + "func f() { //\n//line x.go:1:1\n" + source + "}"
	case strings.HasPrefix(source, "package "):
		text = source
	case strings.HasPrefix(source, "import "):
		text = "package main; /*line x.go:1:1*/" + source
	default:
		text = imports + "//\n//line x.go:1:1\n" + source
	}
	return compile(t, text)
}

var (
	physical = regexp.MustCompile(`\[x\.go:\d+:\d+\]`)
	unused   = regexp.MustCompile(`(?m)^.* imported (as \S+ )?and not used\n`) // which no cell minds
)

// compile compiles a file and gives the errors.
func compile(t testing.TB, text string) string {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x.go"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	packages, err := exports()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "packages"), packages, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "tool", "compile", "-o", filepath.Join(dir, "x.o"), "-p", "main", "-trimpath", dir,
		"-importcfg", "packages", "x.go")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return "accepted\n"
	}
	var said strings.Builder
	for line := range strings.Lines(physical.ReplaceAllString(string(out), "")) {
		if note, ok := strings.CutPrefix(line, "\t"); ok {
			line = "\t" + strings.TrimSpace(note) + "\n"
		}
		said.WriteString(strings.ReplaceAll(strings.TrimPrefix(line, "x.go:"), "x.go:", "In[1]:"))
	}
	return unused.ReplaceAllString(said.String(), "")
}

// exports says where the export data of packages is.
var exports = sync.OnceValues(func() ([]byte, error) {
	return exec.Command("go", "list", "-export", "-deps", "-f",
		"{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", "std").Output()
})

// likeDistribution is how many of the files of Go's own tests for errors have to be worded as the
// compiler words them; the others are listed with -v. They ask for what no cell has (directives,
// limits of the linker, imports that are not used), or for more than go/parser gives.
const likeDistribution = 720

// TestDistributionsErrors compares, with -ask, the errors of the files that Go's own tests want
// refused.
func TestDistributionsErrors(t *testing.T) {
	if !*askCompiler {
		t.Skip("by -ask: a minute, and it needs the Go distribution")
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root, same, other := strings.TrimSpace(string(out)), 0, 0
	for _, dir := range []string{"src/internal/types/testdata", "src/cmd/compile/internal/syntax/testdata", "test"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
				return err
			}
			b, err := os.ReadFile(path)
			if err != nil || dir == "test" && !strings.HasPrefix(string(b), "// errorcheck") {
				return err
			}
			source, ok := asMain(string(b))
			if !ok {
				return nil
			}
			switch differing := distributionFile(t, source); differing {
			case unlike:
			case "":
				same++
			default:
				other++
				t.Logf("%s\n%s", path, differing)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d worded as by the compiler, %d not", same, other)
	if same < likeDistribution {
		t.Errorf("%d files are worded as by the compiler, want %d", same, likeDistribution)
	}
}

var (
	packageClause = regexp.MustCompile(`(?m)^package .*$`)
	// other files, flags or positions
	notAlone = regexp.MustCompile(`(?m)^// -lang|^//go:build|^//line|^/\*line|import "C"|^// -|cgo`)
)

func asMain(source string) (string, bool) {
	at := packageClause.FindStringIndex(source)
	if at == nil || notAlone.MatchString(source) {
		return "", false
	}
	return source[:at[0]] + "package main" + source[at[1]:], true
}

// unlike says that a file cannot be compared: the compiler accepts it, or finds no package for it.
const unlike = "unlike"

func distributionFile(t *testing.T, source string) string {
	want := ofLines([]byte(compile(t, source)))
	if want == "accepted\n" || want == "" || strings.Contains(want, "could not import") {
		return unlike
	}
	if got := words(t, source); got != want {
		return fmt.Sprintf("says\n%swant\n%s", got, want)
	}
	return ""
}
