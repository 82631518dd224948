package vm

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// multicastForms are the forms that TestMulticast runs.
var multicastForms = map[string]string{
	"cp.bulk.multicast": "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster " +
		"[%place], [%from], 64, [bar], %mask;",
	"cp.tensor.multicast": "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes." +
		"multicast::cluster [%place], [%map, {%first}], [bar], %mask;",
}

// Each block of a cluster copies 64 bytes to those that its mask names, and waits for those that others copy to it.
const multicastText = `.version 8.4
.target sm_90
.address_size 64
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 in, .param .u64 masks, .param .u64 waits, .param .u64 out)
{
	.reg .pred %%p, %%ready, %%q;
	.reg .b16 %%mask;
	.reg .b32 %%t, %%rank, %%place, %%first, %%bytes, %%v, %%n;
	.reg .b64 %%map, %%from, %%d, %%out, %%state;
	.shared .align 128 .b32 tile[128];
	.shared .align 8 .b64 bar;
	mov.b64 %%map, map;
	cvta.param.u64 %%map, %%map;
	mov.u32 %%t, %%tid.x;
	mov.u32 %%rank, %%cluster_ctarank;
	setp.eq.u32 %%p, %%t, 0;
	shl.b32 %%n, %%t, 2;
	mov.u32 %%v, tile;
	add.u32 %%n, %%n, %%v;
	mov.u32 %%v, 0;
	st.shared.u32 [%%n], %%v;
	ld.param.u64 %%d, [waits];
	mul.wide.u32 %%from, %%rank, 4;
	add.u64 %%d, %%d, %%from;
	ld.global.u32 %%bytes, [%%d];
	@%%p mbarrier.init.shared.b64 [bar], 1;
	@%%p mbarrier.arrive.expect_tx.shared.b64 %%state, [bar], %%bytes;
	fence.mbarrier_init.release.cluster;
	fence.proxy.async;
	barrier.cluster.arrive.aligned;
	barrier.cluster.wait.aligned;
	ld.param.u64 %%d, [masks];
	mul.wide.u32 %%from, %%rank, 2;
	add.u64 %%d, %%d, %%from;
	ld.global.u16 %%mask, [%%d];
	ld.param.u64 %%from, [in];
	mul.wide.u32 %%d, %%rank, 64;
	add.u64 %%from, %%from, %%d;
	shl.b32 %%first, %%rank, 4;
	shl.b32 %%place, %%rank, 7;
	mov.u32 %%v, tile;
	add.u32 %%place, %%place, %%v;
	@%%p %s
WAIT:
	mbarrier.try_wait.parity.shared.b64 %%ready, [bar], 0;
	@!%%ready bra WAIT;
	ld.shared.u32 %%v, [%%n];
	ld.param.u64 %%out, [out];
	mad.lo.u32 %%n, %%rank, 128, %%t;
	mul.wide.u32 %%d, %%n, 4;
	add.u64 %%out, %%out, %%d;
	st.global.u32 [%%out], %%v;
	barrier.cluster.arrive.aligned;
	barrier.cluster.wait.aligned;
	ret;
}
`

func TestMulticast(t *testing.T) {
	masks := []uint16{0b1111, 0b1010, 0b0001, 0b1101}
	for _, name := range slices.Sorted(maps.Keys(multicastForms)) { // in one order, on a GPU too
		copied := multicastForms[name]
		t.Run(name, func(t *testing.T) {
			modes(t, func(t *testing.T, o Options) {
				text := fmt.Sprintf(multicastText, copied)
				m := onBoth(loadText(t, "multicast", text, o), []byte(text))
				in := make([]uint32, 64)
				want, waits := make([]uint32, 4*128), make([]uint32, 4)
				for i := range in {
					in[i] = uint32(1000 + i)
				}
				for from, mask := range masks {
					for to := range 4 {
						if mask>>to&1 != 0 {
							waits[to] += 64
							copy(want[to*128+from*32:], in[from*16:from*16+16])
						}
					}
				}
				if err := runMulticast(m, in, masks, waits, want); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

func runMulticast(m *machine, in []uint32, masks []uint16, waits, want []uint32) error {
	at, out := upload(m, in), m.alloc(4*4*128)
	tensor := m.tensorMap(&driver.TensorMapConfig{Type: driver.TensorUint32, Address: driver.DevicePtr(at),
		Dims: []uint64{64}, Box: []uint32{16}, ElementStrides: []uint32{1}})
	l := inClusters(Dim3{X: 4, Y: 1, Z: 1}, Dim3{X: 4, Y: 1, Z: 1}, 128)
	if _, err := m.tryWith("k", l, tensor, at, upload(m, masks), upload(m, waits), out); err != nil {
		return err
	}
	if got := download[uint32](m, out, len(want)); !slices.Equal(got, want) {
		return fmt.Errorf("copied %v, want %v", got, want)
	}
	return nil
}

// A mask that names blocks which the cluster does not have is told.
func TestMulticastBeyond(t *testing.T) {
	m := loadText(t, "multicast", fmt.Sprintf(multicastText, multicastForms["cp.bulk.multicast"]), Checked())
	err := runMulticast(m, make([]uint32, 64), []uint16{1, 2, 4, 0x18}, []uint32{64, 64, 64, 64}, nil)
	wantFault(t, err, driver.FaultIllegal, "the mask names the block of rank 4, and the cluster has 4 blocks")
}
