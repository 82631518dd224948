package vm

import (
	"math/bits"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// The instructions that integer loops are made of, four lanes a turn. The lanes
// left over go through the plain loops of run_map.go.

// quad gives four lanes from lane i on, which the caller knows to be there.
func quad[T any](s []T, i int) *[4]T {
	return (*[4]T)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), i*int(unsafe.Sizeof(*new(T)))))
}

func addLanes[T integer](d, a, b []T) {
	n := len(d) &^ 3
	for i := 0; i < n; i += 4 {
		z, x, y := quad(d, i), quad(a, i), quad(b, i)
		z[0], z[1], z[2], z[3] = x[0]+y[0], x[1]+y[1], x[2]+y[2], x[3]+y[3]
	}
	map2(d[n:], a[n:], b[n:], func(x, y T) T { return x + y })
}

// addFloats adds in single precision; a NaN among four sums makes their sum one.
func addFloats(d, a, b []float32) {
	n := len(d) &^ 3
	for i := 0; i < n; i += 4 {
		z, x, y := quad(d, i), quad(a, i), quad(b, i)
		s0, s1, s2, s3 := x[0]+y[0], x[1]+y[1], x[2]+y[2], x[3]+y[3]
		if s := s0 + s1 + s2 + s3; s != s {
			s0, s1, s2, s3 = num.Canon(s0), num.Canon(s1), num.Canon(s2), num.Canon(s3)
		}
		z[0], z[1], z[2], z[3] = s0, s1, s2, s3
	}
	map2(d[n:], a[n:], b[n:], func(x, y float32) float32 { return num.Canon(x + y) })
}

func xorLanes[T word](d, a, b []T) {
	n := len(d) &^ 3
	for i := 0; i < n; i += 4 {
		z, x, y := quad(d, i), quad(a, i), quad(b, i)
		z[0], z[1], z[2], z[3] = x[0]^y[0], x[1]^y[1], x[2]^y[2], x[3]^y[3]
	}
	map2(d[n:], a[n:], b[n:], func(x, y T) T { return x ^ y })
}

func addConst[T integer](d, a []T, k T) {
	n := len(d) &^ 3
	for i := 0; i < n; i += 4 {
		z, x := quad(d, i), quad(a, i)
		z[0], z[1], z[2], z[3] = x[0]+k, x[1]+k, x[2]+k, x[3]+k
	}
	map1(d[n:], a[n:], func(x T) T { return x + k })
}

func andConst[T integer](d, a []T, k T) {
	n := len(d) &^ 3
	for i := 0; i < n; i += 4 {
		z, x := quad(d, i), quad(a, i)
		z[0], z[1], z[2], z[3] = x[0]&k, x[1]&k, x[2]&k, x[3]&k
	}
	map1(d[n:], a[n:], func(x T) T { return x & k })
}

func mulConst[T integer](d, a []T, k T) {
	n := len(d) &^ 3
	for i := 0; i < n; i += 4 {
		z, x := quad(d, i), quad(a, i)
		z[0], z[1], z[2], z[3] = x[0]*k, x[1]*k, x[2]*k, x[3]*k
	}
	map1(d[n:], a[n:], func(x T) T { return x * k })
}

// shlConst and shrConst take the whole amount: from the width on nothing of the value is left but,
// on the right, its sign.
func shlConst[T integer](d, a []T, s uint32) {
	n := len(d) &^ 3
	for i := 0; i < n; i += 4 {
		z, x := quad(d, i), quad(a, i)
		z[0], z[1], z[2], z[3] = x[0]<<s, x[1]<<s, x[2]<<s, x[3]<<s
	}
	map1(d[n:], a[n:], func(x T) T { return x << s })
}

func shrConst[T integer](d, a []T, s uint32) {
	n := len(d) &^ 3
	for i := 0; i < n; i += 4 {
		z, x := quad(d, i), quad(a, i)
		z[0], z[1], z[2], z[3] = x[0]>>s, x[1]>>s, x[2]>>s, x[3]>>s
	}
	map1(d[n:], a[n:], func(x T) T { return x >> s })
}

func madConst[T integer](d, a []T, k T, c []T) {
	n := len(d) &^ 3
	for i := 0; i < n; i += 4 {
		z, x, y := quad(d, i), quad(a, i), quad(c, i)
		z[0], z[1], z[2], z[3] = x[0]*k+y[0], x[1]*k+y[1], x[2]*k+y[2], x[3]*k+y[3]
	}
	map2(d[n:], a[n:], c[n:], func(x, y T) T { return x*k + y })
}

// prmtConst is prmt with a constant selector that replicates no sign. Each source
// gives the bytes that lie equally far from their place by one rotation.
func prmtConst(sel uint32) func(d, a, b []uint32) {
	var masks [2][4]uint32 // by source and rotation in bytes
	for i := range uint32(4) {
		n := sel >> (4 * i) & 7
		masks[n>>2][(i-n)&3] |= 0xff << (8 * i)
	}
	ra, ma, onceA := onlyRotation(masks[0])
	rb, mb, onceB := onlyRotation(masks[1])
	if onceA && onceB {
		return func(d, a, b []uint32) {
			a, b = a[:len(d)], b[:len(d)]
			for i := range d {
				d[i] = bits.RotateLeft32(a[i], ra)&ma | bits.RotateLeft32(b[i], rb)&mb
			}
		}
	}
	return func(d, a, b []uint32) {
		a, b = a[:len(d)], b[:len(d)]
		for i := range d {
			d[i] = num.Prmt(a[i], b[i], sel)
		}
	}
}

// onlyRotation finds the one rotation in use, or none.
func onlyRotation(masks [4]uint32) (bits int, mask uint32, ok bool) {
	ok = true
	for r, m := range masks {
		if m != 0 {
			ok = ok && mask == 0
			bits, mask = 8*r, m
		}
	}
	return bits, mask, ok
}

// constOp makes a step from destination, source and the constant's bits.
type constOp func(d, x slot, k uint64) step

// liftConst takes the constant as the type of its operand: that of the others, or .u32 of a shift.
func liftConst[T, K integer](f func(d, a []T, k K)) constOp {
	return func(d, x slot, k uint64) step {
		return func(b *block) {
			o := out[T](b, d)
			f(o, in[T](b, x, 0), K(k))
			put(b, d, o)
		}
	}
}

// constOps are the operations whose second source may be a constant.
var constOps = map[string]byType[constOp]{
	"add": byWidth(liftConst(addConst[uint16]), liftConst(addConst[uint32]), liftConst(addConst[uint64])),
	"mul": byWidth(liftConst(mulConst[uint16]), liftConst(mulConst[uint32]), liftConst(mulConst[uint64])),
	"and": byWidth(liftConst(andConst[uint16]), liftConst(andConst[uint32]), liftConst(andConst[uint64])),
	"shl": byWidth(liftConst(shlConst[uint16]), liftConst(shlConst[uint32]), liftConst(shlConst[uint64])),
	"shr": {
		ptx.B32: liftConst(shrConst[uint32]), ptx.U32: liftConst(shrConst[uint32]), ptx.S32: liftConst(shrConst[int32]),
		ptx.B64: liftConst(shrConst[uint64]), ptx.U64: liftConst(shrConst[uint64]), ptx.S64: liftConst(shrConst[int64]),
	},
}

// withConst gives the step for a constant second source, or nil.
func (c *compiler) withConst(t ptx.Type, d, x, y slot) step {
	info := &c.code.slots[y]
	if info.kind != slotConst || c.in.Has("hi") || c.in.Has("wide") || c.in.Has("sat") || c.in.Has("cc") {
		return nil
	}
	f := constOps[c.in.Op][t]
	if f == nil {
		return nil
	}
	return f(d, x, info.value[0])
}
