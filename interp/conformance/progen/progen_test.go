package progen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
)

func TestProgramsCheck(t *testing.T) {
	for seed := range uint64(20) {
		c, err := check.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		src := Program(seed)
		if _, err := c.Check(1, src); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

func TestSeedDecides(t *testing.T) {
	if first, again := Program(7), Program(7); first != again {
		t.Error("the same seed gives two programs")
	}
	if Program(7) == Program(8) {
		t.Error("two seeds give the same program")
	}
}

// What the programs are to be made of: every construct stands in some of the first ones.
func TestVariety(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(60) {
		fmt.Fprintln(&all, Program(seed))
	}
	for _, want := range []string{"goto L", "fallthrough", "continue L", "break L", "defer func()", "go func()",
		"select {", ".(type)", "range upto(", ".all()",
		"range &", "%#v", "sync.WaitGroup", "panic(", "recover()", "mv1 :=", "[ix", "<<= uint16", "interface {", "complex64(",
		"type local struct", "slices.Sort(", "pair[", "copy(", "clear(",
		"iota", "init()", "iter.Pull2", "wg.Go(", "NewCond", "Goexit", "unsafe.Sizeof", "utf8.", "[...]", "struct { I",
		"type outer", "type local", "Each", "kindOf", "len, nil", "...))", "map[S", "slices.All("} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no program has %q", want)
		}
	}
}
