package ptx

import (
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// findPtxas looks for NVIDIA's assembler: the file that PTXAS names, else the one of
// the nvidia-cuda-nvcc wheel in the virtual environment that PTX_VENV names, else PATH.
func findPtxas() string {
	if p := os.Getenv("PTXAS"); p != "" {
		return p
	}
	if venv := os.Getenv("PTX_VENV"); venv != "" {
		if found, _ := filepath.Glob(filepath.Join(venv, "lib", "python3*", "site-packages", "nvidia", "cu13", "bin", "ptxas")); len(found) > 0 {
			return found[0]
		}
	}
	p, err := exec.LookPath("ptxas")
	if err != nil {
		return ""
	}
	return p
}

// Every PTX text kept here and in the conformance suite assembles with NVIDIA's
// assembler.
func TestTextsAssemble(t *testing.T) {
	ptxas := findPtxas()
	if ptxas == "" {
		t.Skip("ptxas was not found: set PTXAS to it, or PTX_VENV to a virtual environment with nvidia-cuda-nvcc")
	}
	var texts []string
	for _, pattern := range []string{"testdata/*/*.ptx", "../driver/*/*.ptx"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, found...)
	}
	sort.Strings(texts)
	if len(texts) < 100 {
		t.Fatalf("%d texts", len(texts))
	}
	for _, text := range texts {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			for _, arch := range architectures(t, text) {
				out, err := exec.Command(ptxas, "-arch="+arch, "-c", "-o", filepath.Join(t.TempDir(), "out.cubin"), text).CombinedOutput()
				if err != nil {
					t.Errorf("%s: %v\n%s", arch, err, out)
				}
			}
		})
	}
}

// architectures gives the oldest a text is for and, where the environment asks for
// more by PTX_ARCHS ("80,90,120"), those that are newer.
func architectures(t *testing.T, file string) []string {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(file, string(src))
	if err != nil {
		t.Fatal(err)
	}
	own := m.Target[0]
	out := []string{own}
	oldest, err := strconv.Atoi(strings.TrimPrefix(own, "sm_"))
	if err != nil {
		return out
	}
	for _, a := range strings.Split(os.Getenv("PTX_ARCHS"), ",") {
		if n, err := strconv.Atoi(a); err == nil && n > oldest {
			out = append(out, "sm_"+a)
		}
	}
	return out
}
