package conformance

import (
	"go/build"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
)

// Packages of the standard library whose types embed each other, gain methods late, hide what they
// promote, or are found through interfaces alone.
var pasted = []string{
	"bufio", "container/list", "encoding/csv", "encoding/pem", "encoding/xml", "go/build/constraint", "image",
	"mime/quotedprintable", "regexp/syntax", "text/scanner", "text/template/parse",
}

// A package pasted declaration by declaration, in the order of its files and in another, is what it
// is as one file: every cell only adds, so that all types stay what they are, and nothing is
// refused. (G1, G2)
func TestLibrariesInCells(t *testing.T) {
	for _, path := range pasted {
		l, err := ReadLibrary(filepath.Join(build.Default.GOROOT, "src", path))
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for _, order := range []*rand.Rand{nil, rand.New(rand.NewPCG(1, 1))} {
			c, err := check.New(nil)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			err = l.Paste(order, func(cell string) error {
				n++
				k, err := c.Check(n, cell)
				if err != nil {
					return err
				}
				if len(k.Stale) > 0 {
					t.Errorf("%s: %v after\n%.200s", path, k.Stale, cell)
				}
				c.Commit(k)
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}
