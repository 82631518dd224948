package nvtx

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ebitengine/purego"
)

// standIn builds testdata/nvtx.c and makes it the library to be found.
func standIn(t *testing.T) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skipf("no C compiler to build the stand-in library with: %v", err)
	}
	path := filepath.Join(t.TempDir(), "libnvtx.so")
	if out, err := exec.Command(cc, "-shared", "-fPIC", "-o", path, "testdata/nvtx.c").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv(LibraryVariable, path)
	return path
}

func TestRanges(t *testing.T) {
	path := standIn(t)
	lib, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	if lib.Path != path {
		t.Errorf("opened %s", lib.Path)
	}
	handle, err := purego.Dlopen(path, purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	var latest func() string
	var open func() int32
	purego.RegisterLibFunc(&latest, handle, "stand_in_latest")
	purego.RegisterLibFunc(&open, handle, "stand_in_open")
	a := lib.Start("outer")
	b := lib.Start("inner\x00never")
	if a == b || open() != 2 || latest() != "inner" {
		t.Errorf("ids %d and %d, %d open, the latest is %q", a, b, open(), latest())
	}
	lib.End(a) // not in the order of a stack
	lib.End(b)
	if open() != 0 {
		t.Errorf("%d ranges are open", open())
	}
}

func TestAbsentLibrary(t *testing.T) {
	for _, v := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		t.Setenv(v, "")
	}
	t.Setenv("CUDA_HOME", t.TempDir())
	t.Setenv(LibraryVariable, "/nonexistent/libnvtx.so")
	_, err := Open()
	var absent *NotFoundError
	if err == nil {
		t.Skip("the loader finds an NVTX library here")
	}
	if !errors.As(err, &absent) || absent.Tried[0] != "/nonexistent/libnvtx.so" || !strings.Contains(err.Error(), "pip install nvidia-nvtx") {
		t.Errorf("%v", err)
	}
}

// A wheel's library is found in the Python environment.
func TestWheelIsFound(t *testing.T) {
	path := standIn(t)
	env := t.TempDir()
	folder := filepath.Join(env, "lib/python3.11/site-packages/nvidia/cu13/lib")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wheel := filepath.Join(folder, libraryNames[0])
	if err := os.WriteFile(wheel, raw, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv(LibraryVariable, "")
	t.Setenv("VIRTUAL_ENV", env)
	lib, err := Open()
	if err != nil || lib.Path != wheel {
		t.Errorf("%+v, %v", lib, err)
	}
}
