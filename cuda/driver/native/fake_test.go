package native

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// fake builds testdata/fakecuda.c once and opens a driver on it.
var fakePath = sync.OnceValues(func() (string, error) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "fakecuda")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "libfakecuda.so")
	out, err := exec.Command(cc, "-shared", "-fPIC", "-O1", "-o", path, "testdata/fakecuda.c", "-lpthread").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := fakePath(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

type fakeLibrary struct{ *library }

func openFake(t testing.TB) (*cudaDriver, fakeLibrary) {
	t.Helper()
	path, err := fakePath()
	if err != nil {
		t.Skipf("no C compiler to build the stand-in library with: %v", err)
	}
	lib, err := openLibrary([]string{"/nonexistent/libcuda.so.1", path})
	if err != nil {
		t.Fatal(err)
	}
	fake := fakeLibrary{lib}
	for what, value := range []int{13000, 1, 0, 0} {
		fake.set(what, value)
	}
	return &cudaDriver{open: func() (*library, error) { return lib, nil }, devices: map[int]*device{}}, fake
}

func (f fakeLibrary) sym(name string) uintptr {
	p, err := purego.Dlsym(f.handle, name)
	if err != nil {
		panic(err)
	}
	return p
}

const (
	fakeVersion = iota
	fakeDevices
	fakeFailCall
	fakeFailCode
)

func (f fakeLibrary) set(what, value int) {
	purego.SyscallN(f.sym("fake_set"), uintptr(what), uintptr(value))
}

func (f fakeLibrary) alive() int {
	n, _, _ := purego.SyscallN(f.sym("fake_alive"))
	return int(int32(n))
}

type lastLaunch struct {
	dims        [6]uint32
	shared      uint32
	stream      uintptr
	params      [256]byte
	size        uintptr
	cooperative int32
	count       int32
}

func (f fakeLibrary) last() *lastLaunch {
	var p *lastLaunch
	r, _, _ := purego.SyscallN(f.sym("fake_last"))
	*(*uintptr)(unsafe.Pointer(&p)) = r
	return p
}

func openContext(t testing.TB) (driver.Context, fakeLibrary) {
	t.Helper()
	d, fake := openFake(t)
	if err := d.Init(); err != nil {
		t.Fatal(err)
	}
	dev, err := d.Device(0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := dev.NewContext()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if n := fake.alive(); n != 0 {
			t.Errorf("%d handles left alive", n)
		}
		_ = ctx.Release()
	})
	return ctx, fake
}
