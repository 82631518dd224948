package vm

import (
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// tritonTensors runs a product c = a·bᵀ of kernels_triton_hopper.py, in tiles of 64 by 64.
func tritonTensors(t *testing.T, name string) {
	const m, n, k = 128, 128, 256
	o := Checked()
	if strings.Contains(name, "warps") {
		o.Races = false // both groups of warps that multiply store the tile, with nothing to order them
	}
	dev := loadWith(t, name, o)
	typ, encode := driver.TensorFloat16, func(x float32) []byte {
		v := num.F16.Encode(float64(x))
		return []byte{byte(v), byte(v >> 8)}
	}
	swizzle := driver.TensorSwizzle128
	if strings.Contains(name, "f8e4") {
		typ, swizzle = driver.TensorUint8, driver.TensorSwizzle64
		encode = func(x float32) []byte { return []byte{map[float32]byte{0: 0, 1: 0x38, 2: 0x40, -1: 0xb8, -2: 0xc0}[x]} }
	}
	fill := func(rows, step int) (values []float32, raw []byte) {
		for i := range rows * k {
			values = append(values, float32((i*step+i/k*3)%5-2))
			raw = append(raw, encode(values[i])...)
		}
		return values, raw
	}
	av, a := fill(m, 7)
	bv, b := fill(n, 3)
	pa, pb, pc := upload(dev, a), upload(dev, b), upload(dev, make([]float32, m*n))
	args := []any{pa, pb, pc, m, n, k}
	if !strings.Contains(name, "made") {
		args = slices.Concat(dev.tritonMap(pa, typ, m, k, 64, swizzle), dev.tritonMap(pb, typ, n, k, 64, swizzle),
			dev.tritonMap(pc, driver.TensorFloat32, m, n, 32, driver.TensorSwizzle128), []any{m, n, k})
	}
	room := dev.alloc(1 << 16) // of its own, where a kernel makes its tensor maps
	l := Launch{Grid: Dim3{X: 2, Y: 2, Z: 1}, SharedBytes: 100 << 10,
		Block: Dim3{X: uint32(dev.only().Func.RequiredThreads[0]), Y: 1, Z: 1}}
	if _, err := dev.tryWith(dev.only().Name, l, append(args, room, room)...); err != nil {
		t.Fatal(err)
	}
	want := make([]float32, m*n)
	for i := range want {
		for x := range k {
			want[i] += av[i/n*k+x] * bv[i%n*k+x]
		}
	}
	same(t, "c", download[float32](dev, pc, m*n), want)
}

// tritonMap is a tensor descriptor as Triton passes it: the map of 64 rows in a box, then shape and strides.
func (m *machine) tritonMap(p uint64, typ driver.TensorMapType, rows, cols int, box uint32,
	s driver.TensorMapSwizzle) []any {
	raw := m.tensorMap(&driver.TensorMapConfig{Type: typ, Address: driver.DevicePtr(p),
		Dims:    []uint64{uint64(cols), uint64(rows)},
		Strides: []uint64{uint64(cols * typ.Size())}, Box: []uint32{box, 64}, ElementStrides: []uint32{1, 1}, Swizzle: s})
	return []any{raw, rows, cols, uint64(cols), uint64(1)}
}
