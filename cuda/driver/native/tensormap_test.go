package native

import (
	"encoding/binary"
	"runtime"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// Tensor maps are made on any thread, also on one that has no context yet: the driver wants one.
func TestTensorMapBindsContext(t *testing.T) {
	d, _ := openFake(t)
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
	onNewThread := func(f func() error) {
		t.Helper()
		done := make(chan error)
		go func() {
			runtime.LockOSThread() // and never unlocked: the thread is this one's alone
			done <- f()
		}()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	var m driver.TensorMap
	c := &driver.TensorMapConfig{Type: driver.TensorFloat32, Address: 1 << 20, Dims: []uint64{64}, Box: []uint32{16},
		ElementStrides: []uint32{1}, Fill: driver.TensorFillNaN}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(m[8*i:]) }
	onNewThread(func() (err error) { m, err = ctx.EncodeTensorMap(c); return err })
	if word(0) != 1<<20 || word(1) != 1 {
		t.Errorf("the arguments arrive as %#x and %d", word(0), word(1))
	}
	onNewThread(func() error { return ctx.ReplaceTensorMapAddress(&m, 1<<21) })
	if word(0) != 1<<21 {
		t.Errorf("the map is of %#x after its address was replaced", word(0))
	}
}
