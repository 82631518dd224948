package vm

import (
	"errors"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A wait that looks at a clock is a deadlock where the time decides nothing, and ends where the loop gives up after some time.
const clockLoops = `.version 8.0
.target sm_75
.address_size 64
.visible .entry backs_off(.param .u64 p)
{
	.reg .pred %p<4>;
	.reg .u32 %r<4>;
	.reg .u64 %rd<6>;
	ld.param.u64 %rd1, [p];
	mov.u64 %rd2, %globaltimer;
LOOP:
	mov.u64 %rd3, %globaltimer;
	sub.u64 %rd4, %rd3, %rd2;
	setp.lt.u64 %p1, %rd4, 1000000;
	@%p1 bra AGAIN;
	shr.u64 %rd5, %rd4, 2;
	cvt.u32.u64 %r1, %rd5;
	nanosleep.u32 %r1;
AGAIN:
	ld.volatile.global.u32 %r2, [%rd1];
	setp.eq.u32 %p2, %r2, 0;
	@%p2 bra LOOP;
	ret;
}
.visible .entry gives_up(.param .u64 p)
{
	.reg .pred %p<4>;
	.reg .u32 %r<4>;
	.reg .u64 %rd<6>;
	ld.param.u64 %rd1, [p];
	mov.u64 %rd2, %globaltimer;
LOOP:
	mov.u64 %rd3, %globaltimer;
	sub.u64 %rd4, %rd3, %rd2;
	setp.gt.u64 %p1, %rd4, 100000000;
	@%p1 bra DONE;
	ld.volatile.global.u32 %r2, [%rd1];
	setp.eq.u32 %p2, %r2, 0;
	@%p2 bra LOOP;
DONE:
	st.global.u32 [%rd1+4], 7;
	ret;
}
.visible .entry gives_up_in_a_wait(.param .u64 p)
{
	.reg .pred %p<4>;
	.reg .u32 %r<4>;
	.reg .u64 %rd<6>;
	ld.param.u64 %rd1, [p];
	mov.u64 %rd2, %clock64;
LOOP:
	mov.u64 %rd3, %clock64;
	sub.u64 %rd4, %rd3, %rd2;
	setp.gt.u64 %p1, %rd4, 40000000;
	ld.volatile.global.u32 %r2, [%rd1];
	setp.eq.u32 %p2, %r2, 0;
	@!%p1 bra CHECK;
	st.volatile.global.u32 [%rd1], 1;
CHECK:
	@%p2 bra LOOP;
	ret;
}
`

func TestWaitsThatLookAtClocks(t *testing.T) {
	for name, deadlock := range map[string]bool{"backs_off": true, "gives_up": false, "gives_up_in_a_wait": false} {
		m := loadText(t, "clocks", clockLoops, Checked())
		p := upload(m, make([]uint32, 2))
		_, err := m.tryWith(name, Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 1, Y: 1, Z: 1}}, p)
		var f *Fault
		if found := errors.As(err, &f) && f.Kind == driver.FaultDeadlock; found != deadlock || err != nil && !deadlock {
			t.Errorf("%s: %v", name, err)
		}
	}
}
