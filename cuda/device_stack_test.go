package cuda

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
)

// A thread's stack holds what the device's limit says, and the launch that needs more fails; the limit of
// the moment of the launch counts.
func TestStackSize(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("ptx", "testdata", "kernels", "recursion.ptx"))
	check(t, err)
	d := must(OpenDriver(emulated.New(), 0))
	k := d.MustLoadPTX(string(text)).MustKernel("endless")
	out := d.MustUpload(make([]int32, 32))
	if n, err := d.StackSize(); n != 1024 || err != nil {
		t.Errorf("%d, %v: want 1024 bytes", n, err)
	}
	check(t, d.SetStackSize(256<<10))
	const deep = 6000
	check(t, d.Launch(k, Grid(1), Block(32), out, deep))
	check(t, d.SetStackSize(1024)) // behind the launch
	check(t, d.Synchronize())
	want := int32(0)
	for range deep {
		want = 1 + 3*want
	}
	if got := MustSlice[int32](out); got[5] != want || got[4] != 4 {
		t.Errorf("thread 5 has %d, thread 4 %d: want %d and 4", got[5], got[4], want)
	}
	for _, n := range []int{0, -1, maxStack + 1} {
		var e *Error
		if err := d.SetStackSize(n); !errors.As(err, &e) || e.Want == "" || e.Got == "" {
			t.Errorf("a stack of %d bytes: %v", n, err)
		}
	}
	check(t, d.Launch(k, Grid(1), Block(32), out, deep))
	err = d.Synchronize()
	var e *driver.Error
	if !errors.As(err, &e) || e.Fault == nil || e.Code != driver.ErrorIllegalAddress ||
		e.Fault.Kind != driver.FaultStackOverflow {
		t.Errorf("%v: want a stack overflow", err)
	}
	if err := d.Close(); err == nil {
		t.Error("the device of a failed kernel closes without an error")
	}
}
