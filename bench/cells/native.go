package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// clock is the text of clock.go: the native binary times as the other processes do.
//
//go:embed clock.go
var clock string

// buildNative makes one binary of all programs, a package each, compiled by go build.
func buildNative(dir string, names []string) (string, error) {
	files := map[string]string{"go.mod": "module native\n\ngo 1.26\n", "clock.go": clock}
	var imports, entries strings.Builder
	for _, name := range names {
		source, err := text(name, "package "+name+"\n")
		if err != nil {
			return "", err
		}
		files[name+"/"+name+".go"] = source
		files[name+"/export.go"] = "package " + name + "\n\nfunc Work() int { return work() }\n"
		fmt.Fprintf(&imports, "\t%s_ \"native/%s\"\n", name, name)
		fmt.Fprintf(&entries, "\t%q: %s_.Work,\n", name, name)
	}
	files["main.go"] = "package main\n\nimport (\n\t\"os\"\n" + imports.String() +
		")\n\nvar work = map[string]func() int{\n" + entries.String() +
		"}\n\nfunc main() {\n\tanswer(os.Stdin, os.Stdout, func(name string) (func() int, error) { return work[name], " +
		"nil }, nil)\n}\n"
	for name, source := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
			return "", err
		}
	}
	cmd := exec.Command("go", "build", "-o", "native", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	var report bytes.Buffer
	cmd.Stdout, cmd.Stderr = &report, &report
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("go build of the programs: %w\n%s", err, report.String())
	}
	return filepath.Join(dir, "native"), nil
}
