package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cmd/vyre-kernel/notebook/execute"
	"github.com/vyre-kernel/vyre-kernel/cmd/vyre-kernel/notebook/export"
	"github.com/vyre-kernel/vyre-kernel/kernel/client"
)

var regenDocs = flag.Bool("regen-docs", false, "rewrite what stands under the examples of docs/")

// example is a cell in a page of docs/, with what stands under it: the other forms that it has, and
// its text.
var example = regexp.MustCompile("(?ms)^```go\n(.*?)^```\n^```text([^\n]*)\n(.*?)^```\n")

// TestDocs executes the examples of pages, one session a page, and compares what comes with what
// stands there.
func TestDocs(t *testing.T) {
	for _, page := range []string{"display.md", "widgets.md"} {
		t.Run(page, func(t *testing.T) {
			path := filepath.Join("..", "..", "docs", page)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			found := example.FindAllStringSubmatchIndex(string(text), -1)
			if len(found) < 5 || len(found) != strings.Count(string(text), "```go\n") {
				t.Fatalf("%d examples have something under them, of %d", len(found), strings.Count(string(text), "```go\n"))
			}
			nb := executed(t, string(text), found)
			var made strings.Builder
			end := 0
			for i, at := range found {
				forms, shown := outputs(nb.Cells[i].Outputs)
				if got := "```text" + forms + "\n" + shown + "```\n"; got != string(text[at[4]-len("```text"):at[1]]) {
					t.Errorf("under\n%s\nstands\n%s, and comes\n%s", text[at[2]:at[3]], text[at[4]-len("```text"):at[1]], got)
				}
				made.WriteString(string(text[end:at[4]]) + forms + "\n" + shown)
				end = at[7]
			}
			made.Write(text[end:])
			if *regenDocs {
				if err := os.WriteFile(path, []byte(made.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// executed is a notebook of the examples, executed by a kernel as a front end starts it.
func executed(t *testing.T, text string, found [][]int) *export.Notebook {
	nb := &export.Notebook{Metadata: map[string]any{}, Minor: 5}
	for _, at := range found {
		nb.Cells = append(nb.Cells, export.Cell{Type: export.Code, Source: text[at[2]:at[3]]})
	}
	self, err := exec.LookPath("vyre-kernel") // this program, by the name that makes it the command
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	kernel, err := client.Start(t.Context(), client.Options{Command: []string{self, "kernel", "-f", "{connection_file}"},
		Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := execute.Notebook(t.Context(), kernel, nb, execute.Options{}); err != nil {
		t.Error(err)
	}
	if err := kernel.Close(); err != nil {
		t.Error(err)
	}
	return nb
}

// outputs are the forms that a cell's outputs have beside text, and the text.
func outputs(list []export.Output) (forms, text string) {
	var names []string
	for _, o := range list {
		for mime := range o.Data {
			if mime != "text/plain" && !slices.Contains(names, mime) {
				names = append(names, mime)
			}
		}
		shown := o.Text
		if plain, ok := o.Data["text/plain"]; ok {
			shown = fmt.Sprint(plain)
		}
		if text += shown; shown != "" && !strings.HasSuffix(shown, "\n") {
			text += "\n"
		}
	}
	slices.Sort(names)
	for _, name := range names {
		forms += " " + name
	}
	return forms, text
}
