package ptx

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// verdicts reads a file of texts with what is decided about each: yes, no, or no! where ptxas takes
// it.
func verdicts(t *testing.T, file string) (texts []string, taken, byPtxas []bool) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(raw), "\n") {
		verdict, text, ok := strings.Cut(line, " ")
		if !ok || verdict == "#" {
			continue
		}
		text = strings.TrimLeft(text, " ")
		if unquoted, err := strconv.Unquote(text); err == nil {
			text = unquoted
		}
		texts = append(texts, text)
		taken, byPtxas = append(taken, verdict == "yes"), append(byPtxas, verdict != "no")
	}
	if len(texts) < 100 {
		t.Fatalf("%d texts", len(texts))
	}
	return texts, taken, byPtxas
}

// Lines of a body are taken or refused as ptxas does: declarations twice, constants in parentheses
// and of floating numbers, syntax, types of registers and variables (P7, P10, P13).
func TestLinesOfBodies(t *testing.T) {
	lines, taken, byPtxas := verdicts(t, "lines.txt")
	ptxas := findPtxas()
	for i, line := range lines {
		o := ours(formsHead, line, formsTail)
		if (o == "") != taken[i] {
			t.Errorf("%s: %q, taken should be %v", line, o, taken[i])
		}
		if ptxas == "" {
			continue
		}
		if v := judge(t, ptxas, "sm_90", formsHead, []string{line}, formsTail)[0]; (v == "") != byPtxas[i] {
			t.Errorf("%s: ptxas says %q", line, v)
		}
	}
}

// Whole texts are taken or refused as ptxas does: headers, declarations of functions and variables,
// initial values, parameters and their limits, directives of kernels, calls, comments and control
// characters (P7, P11, P13).
func TestWholeTexts(t *testing.T) {
	texts, taken, byPtxas := verdicts(t, "texts.txt")
	ptxas := findPtxas()
	for i, text := range texts {
		if o := ours("", text, ""); (o == "") != taken[i] {
			t.Errorf("%q: %q, taken should be %v", text, o, taken[i])
		}
		if ptxas == "" {
			continue
		}
		file := filepath.Join(t.TempDir(), "text.ptx")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(ptxas, "-arch=sm_90", "-c", "-o", file+".cubin",
			file).CombinedOutput(); (err == nil) != byPtxas[i] {
			t.Errorf("%q: ptxas says %v: %s", text, err, out)
		}
	}
}
