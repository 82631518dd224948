package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// TestInterruptOfADevice: a cell that waits for a kernel stops at once when it is interrupted, the session goes on
// with what it had, and when the kernel has come to its end the device can be used again.
func TestInterruptOfADevice(t *testing.T) {
	s, err := openSession(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	cell := func(ctx context.Context, n int, source string) *worker.CellError {
		return s.Execute(ctx, worker.ExecuteRequest{Number: n, Source: source}, silent{}).Error
	}
	const program = "`" + `.version 8.0
.target sm_90
.address_size 64
.visible .entry spin(.param .u64 p) {
	.reg .u64 %rd<4>;
	.reg .pred %p;
	ld.param.u64 %rd1, [p];
	cvta.to.global.u64 %rd3, %rd1;
	mov.u64 %rd2, 0;
L:	add.u64 %rd2, %rd2, 1;
	st.global.u64 [%rd3], %rd2;
	setp.lt.u64 %p, %rd2, 3000000; // seconds, emulated
	@%p bra L;
	ret;
}` + "`"
	for n, source := range []string{"kept := 7\nspinning := " + program, `dev := cuda.MustOpen("emulated")`, "kernel := dev.MustLoadPTX(spinning).MustKernel(\"spin\")"} {
		if err := cell(t.Context(), n+1, source); err != nil {
			t.Fatalf("%+v", err)
		}
	}
	ctx, interrupt := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, interrupt)
	began := time.Now()
	failed := cell(ctx, 4, "count := dev.MustUpload([]uint64{0})\ndev.MustDispatch(kernel, cuda.Grid(1), cuda.Block(1), count)")
	if failed == nil || !strings.Contains(failed.Value, "the wait was interrupted") {
		t.Errorf("%+v", failed)
	}
	if d := time.Since(began); d < 300*time.Millisecond || d > 2*time.Second {
		t.Errorf("took %v", d)
	}
	if err := cell(t.Context(), 5, `if count.MustUint64s()[0] < 3000000 { panic("the kernel was not waited for") }
if kept != 7 { panic(kept) }
again := cuda.MustOpen("emulated")
if got := again.MustUpload([]float32{1, 2}).MustFloat32s(); len(got) != 2 { panic(got) }`); err != nil {
		t.Errorf("%+v", err)
	}
}
