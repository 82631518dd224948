package vm

import (
	"math"
	"sync/atomic"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// Atomic operations and reductions (sections 9.7.13.5 to 9.7.13.7). Lanes of one
// instruction act one after another, in ascending order; blocks on other
// goroutines are kept out by the host's compare and swap.

// fetchOp gives the new value from the old one and the operands.
type fetchOp[T any] func(old, x, y T) T

// swap32 and swap64 apply f to memory and say what was there and whether it changed.
func swap32(p unsafe.Pointer, x, y uint32, f fetchOp[uint32]) (old uint32, changed bool) {
	w := (*uint32)(p)
	for {
		old = atomic.LoadUint32(w)
		v := f(old, x, y)
		if atomic.CompareAndSwapUint32(w, old, v) {
			return old, v != old
		}
	}
}

func swap64(p unsafe.Pointer, x, y uint64, f fetchOp[uint64]) (old uint64, changed bool) {
	w := (*uint64)(p)
	for {
		old = atomic.LoadUint64(w)
		v := f(old, x, y)
		if atomic.CompareAndSwapUint64(w, old, v) {
			return old, v != old
		}
	}
}

// swap16 works on the aligned word that holds the halfword.
func swap16(p unsafe.Pointer, x, y uint16, f fetchOp[uint16]) (old uint16, changed bool) {
	shift := uint(uintptr(p)&2) * 8
	w := (*uint32)(unsafe.Pointer(uintptr(p) &^ 2))
	for {
		word := atomic.LoadUint32(w)
		old = uint16(word >> shift)
		v := f(old, x, y)
		if atomic.CompareAndSwapUint32(w, word, word&^(0xffff<<shift)|uint32(v)<<shift) {
			return old, v != old
		}
	}
}

type atomKey struct {
	op  string
	typ ptx.Type
}

func keepFirst[T any](_, x, _ T) T { return x }

func casOp[T comparable](old, x, y T) T {
	if old == x {
		return y
	}
	return old
}

func incOp(old, x, _ uint32) uint32 {
	if old >= x {
		return 0
	}
	return old + 1
}

func decOp(old, x, _ uint32) uint32 {
	if old == 0 || old > x {
		return x
	}
	return old - 1
}

func addF32(old, x, _ uint32) uint32 {
	return math.Float32bits(num.Canon(math.Float32frombits(old) + math.Float32frombits(x)))
}

func addF64(old, x, _ uint64) uint64 {
	return math.Float64bits(math.Float64frombits(old) + math.Float64frombits(x))
}

func addHalf(f num.Format) fetchOp[uint16] {
	return func(old, x, _ uint16) uint16 {
		a, b := f.Decode(old), f.Decode(x)
		return f.Round(num.OddSum(a, b, a+b), num.Nearest)
	}
}

func addHalves(f num.Format) fetchOp[uint32] {
	one := addHalf(f)
	return func(old, x, _ uint32) uint32 {
		return uint32(one(uint16(old), uint16(x), 0)) | uint32(one(uint16(old>>16), uint16(x>>16), 0))<<16
	}
}

var atoms16 = map[atomKey]fetchOp[uint16]{
	{"cas", ptx.B16}: casOp[uint16], {"add", ptx.F16}: addHalf(num.F16), {"add", ptx.BF16}: addHalf(num.BF16),
}

var atoms32 = map[atomKey]fetchOp[uint32]{
	{"add", ptx.U32}: func(o, x, _ uint32) uint32 { return o + x }, {"add", ptx.S32}: func(o, x, _ uint32) uint32 { return o + x },
	{"min", ptx.U32}: func(o, x, _ uint32) uint32 { return min(o, x) }, {"max", ptx.U32}: func(o, x, _ uint32) uint32 { return max(o, x) },
	{"min", ptx.S32}: func(o, x, _ uint32) uint32 { return uint32(min(int32(o), int32(x))) },
	{"max", ptx.S32}: func(o, x, _ uint32) uint32 { return uint32(max(int32(o), int32(x))) },
	{"and", ptx.B32}: func(o, x, _ uint32) uint32 { return o & x }, {"or", ptx.B32}: func(o, x, _ uint32) uint32 { return o | x },
	{"xor", ptx.B32}: func(o, x, _ uint32) uint32 { return o ^ x }, {"exch", ptx.B32}: keepFirst[uint32], {"cas", ptx.B32}: casOp[uint32],
	{"inc", ptx.U32}: incOp, {"dec", ptx.U32}: decOp, {"add", ptx.F32}: addF32,
	{"add", ptx.F16x2}: addHalves(num.F16), {"add", ptx.BF16x2}: addHalves(num.BF16),
}

var atoms64 = map[atomKey]fetchOp[uint64]{
	{"add", ptx.U64}: func(o, x, _ uint64) uint64 { return o + x },
	{"min", ptx.U64}: func(o, x, _ uint64) uint64 { return min(o, x) }, {"max", ptx.U64}: func(o, x, _ uint64) uint64 { return max(o, x) },
	{"min", ptx.S64}: func(o, x, _ uint64) uint64 { return uint64(min(int64(o), int64(x))) },
	{"max", ptx.S64}: func(o, x, _ uint64) uint64 { return uint64(max(int64(o), int64(x))) },
	{"and", ptx.B64}: func(o, x, _ uint64) uint64 { return o & x }, {"or", ptx.B64}: func(o, x, _ uint64) uint64 { return o | x },
	{"xor", ptx.B64}: func(o, x, _ uint64) uint64 { return o ^ x }, {"exch", ptx.B64}: keepFirst[uint64], {"cas", ptx.B64}: casOp[uint64],
	{"add", ptx.F64}: addF64,
}

// atomicNames are the operations among the modifiers.
var atomicNames = []string{"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"}

// commutes reports whether any order of the operations leaves the same memory.
func commutes(op string, t ptx.Type) bool {
	return op != "exch" && op != "cas" && op != "inc" && op != "dec" && !isFloat(t)
}

func buildAtomic(c *compiler) error {
	t := c.lastType()
	key := atomKey{typ: t}
	if t == ptx.S64 && c.in.Has("async") {
		key.typ = ptx.U64 // alike for .add, the one operation that has it
	}
	for _, name := range atomicNames {
		if c.in.Has(name) {
			key.op = name
		}
	}
	switch t.Size() {
	case 2:
		return emitAtomic(c, key, atoms16[key], swap16)
	case 4:
		return emitAtomic(c, key, atoms32[key], swap32)
	}
	return emitAtomic(c, key, atoms64[key], swap64)
}

func emitAtomic[T any](c *compiler, key atomKey, f fetchOp[T], swap func(p unsafe.Pointer, x, y T, f fetchOp[T]) (T, bool)) error {
	if f == nil {
		return c.refuse("this device does not execute the atomic operation with this type")
	}
	first := 1 // atom has a destination, red does not
	if c.in.Op == "red" {
		first = 0
	}
	a, err := c.access(first, key.typ.Size(), true)
	if err != nil {
		return err
	}
	a.atomic = true
	if c.in.Has("acquire") || c.in.Has("release") || c.in.Has("acq_rel") {
		if err := buildFence(c); err != nil {
			return err
		}
	}
	x, err := c.src(first+1, key.typ)
	if err != nil {
		return err
	}
	y := x
	if key.op == "cas" {
		if y, err = c.src(first+2, key.typ); err != nil {
			return err
		}
	}
	d := noSlot
	if first == 1 {
		if d, err = c.dst(0, key.typ); err != nil {
			return err
		}
	}
	if d != noSlot && c.resultUsed() || !commutes(key.op, key.typ) {
		c.ordered(a)
	}
	c.observe(a, nil)
	c.emit(atomicStep(a, d, x, y, f, swap))
	if c.in.Has("async") {
		return c.completeBytes(2, c.constant(4, a.size, 0))
	}
	if c.in.Has("acquire") || c.in.Has("acq_rel") {
		return buildFence(c)
	}
	return nil
}

// resultUsed reports whether anything reads the destination of the instruction.
func (c *compiler) resultUsed() bool {
	o := &c.in.Operands[0]
	return o.Kind == ptx.OpReg && c.used[o.Reg] > guardUses(c.in)
}

// guardUses is how often a guarded write counts as a read of its destination.
func guardUses(in *ptx.Instruction) int {
	if in.Guard != nil {
		return 1
	}
	return 0
}

func atomicStep[T any](a *access, d, x, y slot, f fetchOp[T], swap func(p unsafe.Pointer, x, y T, f fetchOp[T]) (T, bool)) step {
	return func(b *block) {
		addrs, xs, ys := a.addresses(b), in[T](b, x, 2), in[T](b, y, 3)
		var o []T
		if d != noSlot {
			o = scratch[T](b, outScratch)
		}
		changed := false
		for i := range addrs {
			p := b.locate(a, i, addrs[i]+a.offset)
			if p == nil {
				return
			}
			old, ch := swap(p, xs[i], ys[i], f)
			changed = changed || ch
			if o != nil {
				o[i] = old
			}
		}
		if changed {
			b.progress()
		} else {
			b.polls++
		}
		if o != nil {
			copy(out[T](b, d), o)
			put(b, d, o)
		}
	}
}

// locate translates one lane's address of an atomic operation.
func (b *block) locate(a *access, i int, addr uint64) unsafe.Pointer {
	seg := &b.sites[a.site]
	off := addr - seg.base
	if seg.size < a.size || off > seg.size-a.size || off&(a.size-1) != 0 || seg.single {
		if !a.retarget(b, i, addr) {
			return nil
		}
		off = addr - seg.base
	}
	if seg.shadow != nil {
		s := unsafe.Add(seg.shadow, off)
		if *(*uint8)(s) == 0 && b.code.options.Uninitialized {
			b.raiseAccess(driver.FaultUninitialized, a, i, addr, seg.alloc)
			return nil
		}
		for k := range a.size {
			*(*uint8)(unsafe.Add(s, k)) = 1
		}
	}
	return unsafe.Add(seg.mem, off)
}

func init() {
	register(map[string]builder{"atom": buildAtomic, "red": buildAtomic})
}
