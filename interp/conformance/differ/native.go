package differ

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A BuildError is a program that the go command does not compile.
type BuildError struct{ Output string }

func (e *BuildError) Error() string { return "go build: " + e.Output }

// An Answer is what became of a program: an outcome, or why there is none.
type Answer struct {
	conformance.Outcome
	Refused string // the refusal, of an engine
	Failed  string // it did not end, or its process did not run
}

// A Toolchain is how programs are compiled. Its zero value is the go command of PATH with this
// process's settings.
type Toolchain struct {
	Go    string // the go command
	Cache string // of builds
}

// environment is this process's, set such that a build needs no network, no module cache and no
// home directory.
func (t Toolchain) environment(dir string) []string {
	env := append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if t.Go != "" {
		env = slices.DeleteFunc(env, func(s string) bool { return strings.HasPrefix(s, "GOROOT=") }) // it knows where it lies
		env = append(env, "GOTOOLCHAIN=local")
	}
	if t.Cache != "" {
		env = append(env, "GOCACHE="+t.Cache, "GOPROXY=off", "GOENV=off", "GOTELEMETRY=off", "CGO_ENABLED=0", "GOPATH="+
			filepath.Join(dir, "none"), "GOMODCACHE="+filepath.Join(dir, "none"))
	}
	return env
}

// A Binary is programs compiled into one.
type Binary string

// Build compiles programs (package main each) into one binary under dir. In it they are packages
// named prog with paths of four letters, so that type names are as long as theirs; the outcomes say
// main. There may be 100.
func (t Toolchain) Build(ctx context.Context, dir string, sources []string) (Binary, error) {
	if err := writeBatch(dir, sources); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, cmp.Or(t.Go, "go"), "build", "-p", "1", "-o", "all", ".")
	cmd.Dir, cmd.Env = dir, t.environment(dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", &BuildError{strings.TrimSpace(string(out) + "\n" + err.Error())}
	}
	return Binary(filepath.Join(dir, "all")), nil
}

// Run executes the i-th program.
func (b Binary) Run(ctx context.Context, i int, limit time.Duration) Answer {
	o, err := conformance.RunProcess(ctx, limit, string(b), strconv.Itoa(i))
	if err != nil {
		return Answer{Failed: err.Error()}
	}
	if o.Exit < 0 {
		return Answer{Failed: "killed"}
	}
	o.Stdout, o.Panic = asMain(o.Stdout), asMain(o.Panic)
	return Answer{Outcome: o}
}

// qualifier is what stands before the name of a program's type: the package's name or, in an
// instance's name, its path.
var qualifier = regexp.MustCompile(`\b(prog|m/\d\d)\.`)

func asMain(text string) string { return qualifier.ReplaceAllString(text, "main.") }

func writeBatch(dir string, sources []string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	var imports, table strings.Builder
	for i, src := range sources {
		fmt.Fprintf(&imports, "import p%d \"m/%02d\"\n", i, i)
		fmt.Fprintf(&table, "p%d.Main,", i)
		if err := writeFile(dir, fmt.Sprintf("%02d/prog.go", i), AsPackage(src)); err != nil {
			return err
		}
	}
	driver := "package main\nimport \"os\"\nimport \"strconv\"\n" + imports.String() +
		"func main() { i, _ := strconv.Atoi(os.Args[1]); []func(){" + table.String() + "}[i]() }\n"
	if err := writeFile(dir, "main.go", driver); err != nil {
		return err
	}
	return writeFile(dir, "go.mod", "module m\n\n"+gorelease.Directive+"\n")
}

// AsPackage makes a program a package with an exported Main.
func AsPackage(source string) string {
	source = strings.Replace(source, "package main", "package prog", 1)
	return strings.Replace(source, "\nfunc main() {", "\nfunc Main() { main() }\n\nfunc main() {", 1)
}

func writeFile(dir, name, text string) error {
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
