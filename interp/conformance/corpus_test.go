package conformance

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

var regen = flag.String("regen", "",
	"build and run the programs of matching themes (a glob) with the go command and keep what they do")

func TestRegenerate(t *testing.T) {
	if *regen == "" {
		return
	}
	files, err := filepath.Glob(filepath.Join("testdata", *regen+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := Regenerate(t.Context(), f, t.TempDir()); err != nil {
			t.Error(err)
		}
	}
}

func TestCorpusIsWhole(t *testing.T) {
	ps, err := Corpus()
	if err != nil {
		t.Fatal(err)
	}
	if len(ps) < 300 {
		t.Errorf("%d programs", len(ps))
	}
	for _, p := range ps {
		if p.Want.Stdout == "" && p.Want.Exit == 0 {
			t.Errorf("%s: nothing is kept of what it does", p.ID())
		}
		if p.Want.Exit == 2 && !strings.HasPrefix(p.Want.Panic, "panic: ") && p.Want.Panic != "fatal error: "+
			new(engine.Deadlock).Error() {
			t.Errorf("%s: exit 2 and %q", p.ID(), p.Want.Panic)
		}
	}
}
