package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A kernel that runs until the host says stop: it cannot end by itself, however fast or slow the
// machine is.
const endlessKernel = "`" + `.version 8.0
.target sm_90
.address_size 64
.visible .entry spin(.param .u64 p, .param .u64 stop) {
	.reg .u64 %rd<5>;
	.reg .u32 %r;
	.reg .pred %p;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd3, %rd1;
	ld.param.u64 %rd4, [stop];
	mov.u64 %rd2, 0;
L:	add.u64 %rd2, %rd2, 1;
	st.global.u64 [%rd3], %rd2;
	ld.volatile.global.u32 %r, [%rd4];
	setp.eq.u32 %p, %r, 0;
	@%p bra L;
	ret;
}` + "`"

// TestInterruptOfADevice: a cell that waits for a kernel in any way stops when it is interrupted,
// which is no panic, and the kernel ends with it; the session goes on with what it had, the device
// included.
func TestInterruptOfADevice(t *testing.T) {
	s := testSession(t)
	n := 0
	cell := func(ctx context.Context, source string) *worker.CellError {
		n++
		return s.Execute(ctx, worker.ExecuteRequest{Number: n, Source: source}, silent{}).Error
	}
	for _, source := range []string{"kept := 7\nspinning := " + endlessKernel, `dev := cuda.MustOpen("emulated")`,
		"kernel := dev.MustLoadPTX(spinning).MustKernel(\"spin\")",
		"count, other := dev.MustUpload([]uint64{0}), dev.MustUpload([]uint64{1})",
		"flag, err := dev.Driver().AllocHost(4, 2)\nif err != nil { panic(err) }",
		"at, err := flag.DevicePtr()\nif err != nil { panic(err) }"} {
		if err := cell(t.Context(), source); err != nil {
			t.Fatalf("%s: %+v", source, err)
		}
	}
	const launch = "if err := dev.Launch(kernel, cuda.Grid(1), cuda.Block(1), count, uint64(at)); err != nil " +
		"{ panic(err) }\n"
	reached := filepath.Join(t.TempDir(), "reached")
	for _, waits := range []string{
		"dev.MustDispatch(kernel, cuda.Grid(1), cuda.Block(1), count, uint64(at))",
		"dev.Synchronize()",
		"cuda.MustSlice[uint64](other)",
		"if err := other.Write(0, []uint64{5}); err != nil { panic(err) }",
		"more := dev.MustUpload([]uint64{2})",
		"if err := other.Close(); err != nil { panic(err) }",
		"if err := dev.Close(); err != nil { panic(err) }",
	} {
		ctx, interrupt := context.WithCancel(t.Context())
		ended := make(chan *worker.CellError)
		go func() { ended <- cell(ctx, launch+"os.WriteFile("+strconv.Quote(reached)+", nil, 0o600)\n"+waits) }()
		for _, err := os.Stat(reached); err != nil; _, err = os.Stat(reached) {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(20 * time.Millisecond)
		interrupt()
		if failed := <-ended; failed == nil || failed.Name != "Interrupted" {
			t.Errorf("%s: %+v", waits, failed)
		}
		os.Remove(reached)
	}
	if err := cell(t.Context(), `if cuda.MustSlice[uint64](count)[0] == 0 { panic("the kernel did not run") }
if kept != 7 { panic(kept) }
if got := cuda.MustSlice[uint64](other); got[0] != 1 { panic(got) }
if got := cuda.MustSlice[float32](dev.MustUpload([]float32{1, 2})); len(got) != 2 { panic(got) }`); err != nil {
		t.Errorf("%+v", err)
	}
}
