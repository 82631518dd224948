package ptx

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// ptxasArchitectures are the generations that the assembler of CUDA 13 takes, from Turing to Blackwell.
var ptxasArchitectures = []int{75, 80, 86, 89, 90, 100, 120}

// Every PTX text in the repository assembles with NVIDIA's assembler for every
// architecture from its own on, and its own is sm_75 unless it needs a newer one.
func TestTextsAssemble(t *testing.T) {
	ptxas := findPtxas()
	if ptxas == "" {
		t.Skip("ptxas was not found: set PTXAS to it, or PTX_VENV to a virtual environment with nvidia-cuda-nvcc")
	}
	texts := keptTexts(t)
	if len(texts) < 100 {
		t.Fatalf("%d texts", len(texts))
	}
	for _, text := range texts {
		t.Run(filepath.ToSlash(text), func(t *testing.T) {
			t.Parallel()
			archs, flags := targetOf(t, text)
			for _, arch := range archs {
				args := append([]string{"-arch=" + arch, "-c", "-o", filepath.Join(t.TempDir(), "out.cubin"), text}, flags...)
				if out, err := exec.Command(ptxas, args...).CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", arch, err, out)
				}
			}
		})
	}
}

// keptTexts lists the PTX files below the repository's root, but for the pieces in
// cuda/queue/ptx: that package puts them together and has ptxas judge the wholes.
func keptTexts(t *testing.T) []string {
	var texts []string
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (path == filepath.Join(root, "cuda", "queue", "ptx") || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2 || d.Name() == "build") {
			return filepath.SkipDir
		}
		if err == nil && filepath.Ext(path) == ".ptx" {
			texts = append(texts, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// targetOf gives the architectures that a text can be assembled for, and what the
// assembler needs to be told for texts with debug information.
func targetOf(t *testing.T, file string) (archs, flags []string) {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Parse(file, string(src))
	if err != nil {
		t.Fatal(err)
	}
	if slices.Contains(m.Target, "debug") {
		flags = []string{"-g", "-O0"}
	}
	if strings.HasSuffix(m.Target[0], "a") { // what one architecture alone has
		return m.Target[:1], flags
	}
	own, err := strconv.Atoi(strings.TrimPrefix(m.Target[0], "sm_"))
	if err != nil {
		t.Fatalf("target %s: %v", m.Target[0], err)
	}
	for _, arch := range ptxasArchitectures {
		if arch >= own {
			archs = append(archs, "sm_"+strconv.Itoa(arch))
		}
	}
	return archs, flags
}
