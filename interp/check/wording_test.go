package check

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// askCompiler says to put what the go command's compiler says now into the corpora, and to compare
// with Go's own tests (compiler_test.go).
var askCompiler = flag.Bool("ask", false, "ask the compiler for its words again; needs the Go distribution")

// columns are those of places at the beginning of a line: go/types and the compiler have errors in
// the same lines, often in other columns.
var columns = regexp.MustCompile(`(?m)^(\d+|\tIn\[1\]:\d+):\d+: `)

// ofLines is what a corpus wants, without columns.
func ofLines(want []byte) string { return columns.ReplaceAllString(string(want), "$1: ") }

// words are what is wrong with a cell, a line each with its line, and notes behind a tab.
func words(t testing.TB, source string) string {
	c, err := New(map[string]string{"fmt": "fmt", "os": "os", "strings": "strings"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Check(1, source)
	var e *Error
	if !errors.As(err, &e) {
		return fmt.Sprintf("accepted: %v\n", err)
	}
	var got strings.Builder
	for _, d := range e.Diagnostics {
		if d.Line != "" && (d.Pos.Column < 1 || d.Pos.Column > len(d.Line)+1) {
			t.Errorf("%s: %v is not in %q", source, d.Pos, d.Line)
		}
		fmt.Fprintf(&got, "%d: %s\n", d.Pos.Line, d.Msg)
		for _, n := range d.Notes {
			fmt.Fprintf(&got, "\t%s\n", n)
		}
	}
	return ofLines([]byte(got.String()))
}

// corpus reads a file of cells, each with sections behind it. With -ask, those with the compiler's
// words are written anew.
func corpus(t *testing.T, name string) *txtar.Archive {
	file, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !*askCompiler {
		return file
	}
	source := txtar.File{}
	for i, f := range file.Files {
		switch f.Name {
		case "cell", "statements":
			source = f
		case "compiler":
			file.Files[i].Data = []byte(compilersWords(t, source))
		}
	}
	if err := os.WriteFile(name, txtar.Format(file), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestCompilersWords compares errors with what the compiler says, all of them, their lines and
// order.
func TestCompilersWords(t *testing.T) {
	file, apart := corpus(t, "testdata/wording.txtar"), ofRelease(t)
	for i := 0; i+1 < len(file.Files); i += 2 {
		source, want := string(file.Files[i].Data), ofLines(file.Files[i+1].Data)
		if other, ok := apart[source]; ok {
			want = other
		}
		if got := words(t, source); got != want {
			t.Errorf("%s says\n%swant\n%s", source, got, want)
		}
	}
}

// TestWordsOfRelease holds what only this release's compiler refuses.
func TestWordsOfRelease(t *testing.T) {
	for source, want := range ofRelease(t) {
		if got := words(t, source); got != want {
			t.Errorf("%s says\n%swant\n%s", source, got, want)
		}
	}
}

// ofRelease has the words of this release's compiler where they are not the default one's, by cell.
func ofRelease(t *testing.T) map[string]string {
	file, err := txtar.ParseFile("testdata/wording_" + gorelease.Name + ".txtar")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{}
	for i := 0; i+1 < len(file.Files); i += 2 {
		words[string(file.Files[i].Data)] = ofLines(file.Files[i+1].Data)
	}
	return words
}

// TestOtherWords holds what is said where the compiler says something else.
func TestOtherWords(t *testing.T) {
	file := corpus(t, "testdata/apart.txtar")
	for i := 0; i+3 < len(file.Files); i += 4 {
		source, compilers, want := string(file.Files[i+1].Data), ofLines(file.Files[i+2].Data), ofLines(file.Files[i+3].Data)
		if got := words(t, source); got != want {
			t.Errorf("%s says\n%swant\n%s", source, got, want)
		}
		if want == compilers {
			t.Errorf("%s says what the compiler says: it belongs in wording.txtar", source)
		}
	}
}
