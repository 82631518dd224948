package check

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestCompilersWords compares errors with what the compiler says, all of them, their places and order.
func TestCompilersWords(t *testing.T) {
	file, err := txtar.ParseFile("testdata/wording.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(file.Files); i += 2 {
		source, want := string(file.Files[i].Data), string(file.Files[i+1].Data)
		c, err := New(map[string]string{"fmt": "fmt", "os": "os", "strings": "strings"})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Check(1, source)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v, want\n%s", source, err, want)
			continue
		}
		var got strings.Builder
		for _, d := range e.Diagnostics {
			fmt.Fprintf(&got, "%d:%d: %s\n", d.Pos.Line, d.Pos.Column, d.Msg)
			for _, n := range d.Notes {
				fmt.Fprintf(&got, "\t%s\n", n)
			}
		}
		if got.String() != want {
			t.Errorf("%s says\n%swant\n%s", source, &got, want)
		}
	}
}
