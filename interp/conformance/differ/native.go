package differ

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
)

// Limit is how long a process may run a program. Generated ones need milliseconds.
const Limit = 10 * time.Second

// A BuildError is a program that the go command does not compile.
type BuildError struct{ Output string }

func (e *BuildError) Error() string { return "go build: " + e.Output }

// An Answer is what became of a program: an outcome, or why there is none.
type Answer struct {
	conformance.Outcome
	Refused string // the refusal, of an engine
	Failed  string // it did not end, or its process did not run
}

// Native compiles programs (package main each) into one binary under dir, and runs them one after another. In the binary they are
// packages named prog with paths of four letters, so that type names are as long as theirs; the outcomes say main. There may be 100.
func Native(ctx context.Context, dir string, sources []string) ([]Answer, error) {
	binary, err := build(ctx, dir, sources)
	if err != nil {
		return nil, err
	}
	answers := make([]Answer, len(sources))
	for i := range sources {
		o, err := conformance.RunProcess(ctx, Limit, binary, strconv.Itoa(i))
		if err != nil {
			answers[i].Failed = err.Error()
			continue
		}
		o.Stdout, o.Panic = asMain(o.Stdout), asMain(o.Panic)
		answers[i].Outcome = o
	}
	return answers, nil
}

// qualifier is what stands before the name of a program's type: the package's name or, in an instance's name, its path.
var qualifier = regexp.MustCompile(`\b(prog|m/\d\d)\.`)

func asMain(text string) string { return qualifier.ReplaceAllString(text, "main.") }

func build(ctx context.Context, dir string, sources []string) (binary string, err error) {
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	var imports, table strings.Builder
	for i, src := range sources {
		fmt.Fprintf(&imports, "import p%d \"m/%02d\"\n", i, i)
		fmt.Fprintf(&table, "p%d.Main,", i)
		if err := writeFile(dir, fmt.Sprintf("%02d/prog.go", i), AsPackage(src)); err != nil {
			return "", err
		}
	}
	driver := "package main\nimport \"os\"\nimport \"strconv\"\n" + imports.String() +
		"func main() { i, _ := strconv.Atoi(os.Args[1]); []func(){" + table.String() + "}[i]() }\n"
	if err := writeFile(dir, "main.go", driver); err != nil {
		return "", err
	}
	if err := writeFile(dir, "go.mod", "module m\n\ngo 1.26\n"); err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-p", "1", "-o", "all", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", &BuildError{string(out)}
	}
	return filepath.Join(dir, "all"), nil
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
