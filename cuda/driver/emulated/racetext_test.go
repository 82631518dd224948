package emulated_test

import (
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

// shifts has a kernel that writes x[i], and one that reads x[i+20].
const shifts = `.version 8.0
.target sm_80
.address_size 64
.file 1 "/home/me/shifts.cu"
.visible .entry puts(.param .u64 x) {
.reg .b64 %d, %e; .reg .b32 %r;
.loc 1 3 5
ld.param.u64 %d, [x];
mov.u32 %r, %tid.x;
mul.wide.u32 %e, %r, 4;
add.u64 %d, %d, %e;
.loc 1 4 9
st.global.u32 [%d], %r;
ret;
}
.visible .entry sums(.param .u64 x) {
.reg .b64 %d, %e; .reg .b32 %r;
ld.param.u64 %d, [x];
mov.u32 %r, %tid.x;
mul.wide.u32 %e, %r, 4;
add.u64 %d, %d, %e;
.loc 1 9 9
ld.global.u32 %r, [%d+80];
ret;
}
`

// A race of two nodes, or of two streams, is told with the elements and the lines of both kernels.
func TestRaceTellsElementsAndLines(t *testing.T) {
	for _, way := range []string{"graph", "streams"} {
		t.Run(way, func(t *testing.T) {
			b := newBench(t, emulated.Options{Checks: vm.Checked()})
			m, _, err := b.ctx.LoadModule([]byte(shifts), driver.JITOptions{})
			b.check(err)
			x, err := b.ctx.Alloc(4 * 64)
			b.check(err)
			b.check(b.ctx.MemsetD8(x, 0, 4*64))
			params := binary.LittleEndian.AppendUint64(nil, uint64(x))
			g := b.graph()
			for _, name := range []string{"puts", "sums"} {
				f, err := m.Function(name)
				b.check(err)
				if way == "graph" {
					_, err = g.AddKernel(nil, driver.KernelNodeParams{Function: f, Grid: one, Block: driver.Dim3{X: 32, Y: 1, Z: 1},
						Params: params})
				} else {
					err = f.Launch(&driver.LaunchConfig{Grid: one, Block: driver.Dim3{X: 32, Y: 1, Z: 1}, Stream: b.stream()}, params)
				}
				b.check(err)
			}
			if way == "graph" {
				b.run(g)
			}
			err = b.ctx.Synchronize()
			var f *driver.Fault
			if !errors.As(err, &f) || f.Kind != driver.FaultRace || f.Element != 4 || f.Other == nil {
				t.Fatalf("%v", err)
			}
			lines := map[string]bool{f.Source: true, f.Other.Source: true}
			for _, want := range []string{"elements 20 to 31 of 64", "shifts.cu:4", "shifts.cu:9", "kernel puts", "kernel sums",
				"st.global.u32", "ld.global.u32"} {
				if !strings.Contains(f.Error(), want) {
					t.Errorf("%v\nwant %q", f, want)
				}
			}
			if !lines["shifts.cu:4"] || !lines["shifts.cu:9"] {
				t.Errorf("%v: %v", f, lines)
			}
		})
	}
}
