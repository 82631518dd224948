package vm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Every kept text loads: nothing in it is refused. PTX_DIR names more texts.
func TestEveryTextLoads(t *testing.T) {
	dirs := []string{filepath.Join("..", "testdata", "kernels")}
	if d := os.Getenv("PTX_DIR"); d != "" {
		dirs = append(dirs, d)
	}
	for _, dir := range dirs {
		files, _ := filepath.Glob(filepath.Join(dir, "*.ptx"))
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				src, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				m, err := ptx.Parse(filepath.Base(file), string(src))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := Load(m, NewMemory(1<<32), Checked()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// At least 30 kernels that nvcc compiled are kept, each in the first form of its text.
func TestKernelsKept(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "testdata", "kernels", "*.cu"))
	n := 0
	for _, file := range files {
		text := strings.TrimSuffix(file, ".cu") + ".ptx"
		src, err := os.ReadFile(text)
		if err != nil {
			t.Fatal(err)
		}
		m, err := ptx.Parse(filepath.Base(text), string(src))
		if err != nil {
			t.Fatal(err)
		}
		n += len(m.Kernels())
	}
	if n < 30 {
		t.Errorf("%d kernels", n)
	}
	t.Logf("%d kernels", n)
}
