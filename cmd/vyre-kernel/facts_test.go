package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// sumNotebook has cells that need no fact but those on which all cells rest.
const sumNotebook = `-- sum.ipynb --
{"cells": [
 {"cell_type": "code", "id": "a", "metadata": {}, "execution_count": null, "outputs": [],
  "source": ["x := 20\n", "x + 1"]},
 {"cell_type": "code", "id": "b", "metadata": {}, "execution_count": null, "outputs": [], "source": ["1 + 1"]}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
`

// TestEachFactSwitchesOneAbilityOff is that without any one fact a worker starts and computes, or says
// in words why it cannot, and that doctor says what is off.
func TestEachFactSwitchesOneAbilityOff(t *testing.T) {
	dir := t.TempDir()
	for i, f := range gorelease.Facts {
		script := filepath.Join(dir, fmt.Sprintf("fact%02d.txtar", i))
		if err := os.WriteFile(script, []byte(withoutFact(f)+sumNotebook), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	testscript.Run(t, testscript.Params{Dir: dir, Setup: func(e *testscript.Env) error {
		e.Setenv("VYRE_CUDA_DEVICE", "emulated")
		return nil
	}})
}

// withoutFact is a script in which a fact does not hold.
func withoutFact(f *gorelease.Fact) string {
	off := "'off: " + strings.ReplaceAll(regexp.QuoteMeta(f.Without), "'", "''") + ": " + regexp.QuoteMeta(f.Name) + "'"
	set := "env " + gorelease.WithoutFacts + "=" + f.Name + "\n"
	if f.Vital {
		return set + "! exec vyre-kernel run sum.ipynb -o out.ipynb\nstderr " + off +
			"\n! exec vyre-kernel doctor\nstdout " + off + "\n"
	}
	return set + "exec vyre-kernel run sum.ipynb -o out.ipynb\ngrep '\"21\"' out.ipynb\ngrep '\"2\"' out.ipynb\n" +
		"exec vyre-kernel doctor\nstdout " + off + "\n"
}
