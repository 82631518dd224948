package vm

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Reductions of boxes into tensors: each element as red does it, of those that an H200 takes.

// tensorFold combines an element with what memory holds.
type tensorFold func(old, v uint64) uint64

// atomFold is the operation of red of a type.
func atomFold(op string, t ptx.Type) tensorFold {
	k := atomKey{op, t}
	switch t.Size() {
	case 2:
		f := atoms16[k]
		return func(old, v uint64) uint64 { return uint64(f(uint16(old), uint16(v), 0)) }
	case 4:
		f := atoms32[k]
		return func(old, v uint64) uint64 { return uint64(f(uint32(old), uint32(v), 0)) }
	}
	f := atoms64[k]
	return func(old, v uint64) uint64 { return f(old, v, 0) }
}

// halfFold is a least or greatest number, which red has not.
func halfFold(f num.Format, of func(x, y float64, takeNaN bool) float64) tensorFold {
	return func(old, v uint64) uint64 {
		return uint64(f.Encode(of(f.Decode(uint16(old)), f.Decode(uint16(v)), false)))
	}
}

// addFlushed is the sum of the types .ftz.
func addFlushed(old, v uint64) uint64 {
	f := func(w uint64) float32 { return num.Flush(math.Float32frombits(uint32(w))) }
	return uint64(math.Float32bits(num.Flush(num.Canon(f(old) + f(v)))))
}

// addDouble gives a NaN as it is: that of the box before that of memory.
func addDouble(old, v uint64) uint64 {
	x, y := math.Float64frombits(old), math.Float64frombits(v)
	switch {
	case y != y:
		return v
	case x != x:
		return old
	case math.IsInf(x, 0) && x == -y:
		return 0xfff8 << 48
	}
	return math.Float64bits(x + y)
}

var tensorFolds = func() map[driver.TensorMapType]map[string]tensorFold {
	m := map[driver.TensorMapType]map[string]tensorFold{}
	for _, r := range []struct {
		of  driver.TensorMapType
		as  ptx.Type
		ops string
	}{
		{driver.TensorUint32, ptx.U32, "add min max inc dec"}, {driver.TensorUint32, ptx.B32, "and or xor"},
		{driver.TensorInt32, ptx.S32, "add min max"}, {driver.TensorInt32, ptx.B32, "and or xor"},
		{driver.TensorUint64, ptx.U64, "add min max"}, {driver.TensorUint64, ptx.B64, "and or xor"},
		{driver.TensorInt64, ptx.S64, "min max"},
		{driver.TensorFloat16, ptx.F16, "add"}, {driver.TensorBfloat16, ptx.BF16, "add"},
		{driver.TensorFloat32, ptx.F32, "add"}, {driver.TensorTF32, ptx.F32, "add"},
	} {
		if m[r.of] == nil {
			m[r.of] = map[string]tensorFold{}
		}
		for _, op := range strings.Fields(r.ops) {
			m[r.of][op] = atomFold(op, r.as)
		}
	}
	halves := map[driver.TensorMapType]num.Format{driver.TensorFloat16: num.F16, driver.TensorBfloat16: num.BF16}
	for typ, f := range halves {
		m[typ]["min"], m[typ]["max"] = halfFold(f, num.Minimum[float64]), halfFold(f, num.Maximum[float64])
	}
	for _, typ := range []driver.TensorMapType{driver.TensorFloat32FTZ, driver.TensorTF32FTZ} {
		m[typ] = map[string]tensorFold{"add": addFlushed}
	}
	m[driver.TensorFloat64] = map[string]tensorFold{"add": addDouble}
	return m
}()

// reducible refuses an operation that the map's type does not have.
func (t *tensorCopier) reducible(b *block, l int, x *tensorBox) bool {
	if t.reduce == "" || tensorFolds[x.Type][t.reduce] != nil {
		return true
	}
	return b.raiseTensor(l, driver.FaultIllegal,
		fmt.Sprintf("a reduction by .%s of elements of %s: there is none", t.reduce, x.Type))
}

func (t *tensorCopier) reduceInto(b *block, l int, typ driver.TensorMapType, addr uint64, piece []byte) bool {
	n := typ.Size()
	for at := 0; at < len(piece); at += n {
		var old, v, sum [8]byte
		if !t.globalIn[n].load(b, l, addr+uint64(at), old[:n]) {
			return false
		}
		copy(v[:], piece[at:at+n])
		r := tensorFolds[typ][t.reduce](binary.LittleEndian.Uint64(old[:]), binary.LittleEndian.Uint64(v[:]))
		binary.LittleEndian.PutUint64(sum[:], r)
		if !t.globalOut[n].store(b, l, addr+uint64(at), sum[:n]) {
			return false
		}
	}
	return true
}
