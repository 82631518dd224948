package vm

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// Numbers that a load changes, as an H200 does.
func TestTensorConversions(t *testing.T) {
	for _, c := range []struct {
		typ      driver.TensorMapType
		in, want uint32
	}{
		{driver.TensorTF32, 0xbf801000, 0xbf800000}, {driver.TensorTF32, 0x3f803000, 0x3f804000},
		{driver.TensorTF32, 0x3f801001, 0x3f802000}, {driver.TensorTF32, 0x7fc00000, 0x7fffe000},
		{driver.TensorTF32, 0xffc01234, 0x7fffe000}, {driver.TensorTF32, 0xff800000, 0xff800000},
		{driver.TensorTF32FTZ, 0x007fffff, 0x00800000}, {driver.TensorTF32FTZ, 0x80400000, 0x80400000},
		{driver.TensorFloat32FTZ, 0x007fffff, 0x007fffff}, {driver.TensorFloat32, 0x7f800001, 0x7f800001},
	} {
		v := binary.LittleEndian.AppendUint32(nil, c.in)
		(&tensorBox{TensorMapConfig: &driver.TensorMapConfig{Type: c.typ}}).convert(v)
		if got := binary.LittleEndian.Uint32(v); got != c.want {
			t.Errorf("%s %#x: %#x, want %#x", c.typ, c.in, got, c.want)
		}
	}
}

// Reductions of special numbers, as an H200 makes them, and those that it has not.
func TestTensorReductions(t *testing.T) {
	for typ := range driver.TensorTF32FTZ + 1 {
		if got, want := len(tensorFolds[typ]), len(strings.Fields(tensorReductions[typ])); got != want {
			t.Errorf("%s has %d reductions, want %d", typ, got, want)
		}
	}
	for _, c := range []struct {
		typ          driver.TensorMapType
		op           string
		old, v, want uint64
	}{
		{driver.TensorBfloat16, "max", 0x7f81, 0xece0, 0xece0}, {driver.TensorBfloat16, "min", 0x27ba, 0xffc0, 0x27ba},
		{driver.TensorFloat16, "max", 0x6435, 0x7f81, 0x6435}, {driver.TensorFloat16, "max", 0xfe00, 0x7c01, 0x7fff},
		{driver.TensorFloat32FTZ, "add", 0x007fffff, 0xfa8131dc, 0xfa8131dc},
		{driver.TensorFloat32FTZ, "add", 1, 1, 0}, {driver.TensorTF32, "add", 1, 1, 2},
		{driver.TensorFloat64, "add", 0x7ff8 << 48, 0x7ff0<<48 | 1, 0x7ff0<<48 | 1},
		{driver.TensorFloat64, "add", 0x7ff0<<48 | 1, 0xfff0 << 48, 0x7ff0<<48 | 1},
		{driver.TensorFloat64, "add", 0x7ff0 << 48, 0xfff0 << 48, 0xfff8 << 48},
		{driver.TensorTF32, "add", 0x3f801234, 0, 0x3f801234},
	} {
		if got := tensorFolds[c.typ][c.op](c.old, c.v); got != c.want {
			t.Errorf("%s.%s of %#x and %#x: %#x, want %#x", c.op, c.typ, c.old, c.v, got, c.want)
		}
	}
}
