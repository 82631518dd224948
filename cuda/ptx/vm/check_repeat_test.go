package vm

import (
	"errors"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

const spins = `.version 8.0
.target sm_80
.address_size 64
.visible .entry counted(.param .u64 p) {
.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d;
ld.param.u64 %d, [p];
mov.u32 %r1, 0;
L:
ld.volatile.global.u32 %r2, [%d];
add.u32 %r1, %r1, 1;
setp.lt.u32 %p, %r1, 400000;
@%p bra L;
ret;
}
.visible .entry alone(.param .u64 p) {
L: bra L;
}
.visible .entry turns(.param .u64 p) {
.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d;
ld.param.u64 %d, [p];
L:
ld.global.u32 %r2, [%d];
xor.b32 %r1, %r1, 1;
setp.eq.u32 %p, %r2, 0;
@%p bra L;
ret;
}
.visible .entry long(.param .u64 p) {
.reg .pred %p; .reg .b32 %r<3>;
mov.u32 %r1, 0;
L:
add.u32 %r1, %r1, 1;
setp.lt.u32 %p, %r1, 2000000;
@%p bra L;
ret;
}
.visible .entry stuck(.param .u64 p) {
.local .align 4 .b8 loc[4];
.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d;
ld.param.u64 %d, [p];
L:
ld.volatile.global.u32 %r2, [%d];
st.local.u32 [loc], %r2;
setp.eq.u32 %p, %r2, 0;
@%p bra L;
ret;
}
.visible .entry restored(.param .u64 p) {
.reg .pred %p; .reg .b32 %r<3>; .reg .b64 %d;
ld.param.u64 %d, [p];
L:
ld.volatile.global.u32 %r2, [%d];
st.global.u32 [%d+4], %r2;
setp.eq.u32 %p, %r2, 0;
@%p bra L;
ret;
}
`

// A loop that counts ends, however long; one that does nothing, looks at memory that nobody changes, or stores the
// same to local or global memory for ever is a deadlock.
func TestRepeatedStateIsADeadlock(t *testing.T) { // P12
	one := Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 1, Y: 1, Z: 1}}
	for _, name := range []string{"counted", "long", "alone", "turns", "stuck", "restored"} {
		m := loadText(t, "spins", spins, Checked())
		_, err := m.tryWith(name, one, upload(m, []int32{0, 0}))
		var f *Fault
		if ends := name == "counted" || name == "long"; ends {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.As(err, &f) || f.Kind != driver.FaultDeadlock {
			t.Errorf("%s: %v, want a deadlock", name, err)
		}
	}
}
