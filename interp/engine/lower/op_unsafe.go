package lower

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/unevaluated"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

func buildUnsafeAdd(c *compiler, in *ssa.Call) op {
	d, x, n := c.dst(in), c.slot(in.Call.Args[0]), c.index(in.Call.Args[1])
	return n.before(func(fp pointer) {
		*ref[pointer](fp, d) = unsafe.Add(*ref[pointer](fp, x), *ref[int](fp, n.slot))
	})
}

func buildUnsafeSlice(c *compiler, in *ssa.Call) op {
	d, x, n, ip := c.dst(in), c.slot(in.Call.Args[0]), c.index(in.Call.Args[1]), c.ip(in)
	size := c.elem(in.Call.Args[0].Type()).Size
	return n.before(func(fp pointer) {
		p, k := *ref[pointer](fp, x), *ref[int](fp, n.slot)
		checkUnsafe(fp, ip, "Slice", p, k, size)
		*ref[rtype.Slice](fp, d) = rtype.Slice{Array: p, Len: k, Cap: k}
	})
}

func buildUnsafeString(c *compiler, in *ssa.Call) op {
	d, x, n, ip := c.dst(in), c.slot(in.Call.Args[0]), c.index(in.Call.Args[1]), c.ip(in)
	return n.before(func(fp pointer) {
		p, k := *ref[pointer](fp, x), *ref[int](fp, n.slot)
		checkUnsafe(fp, ip, "String", p, k, 1)
		*ref[string](fp, d) = unsafe.String((*byte)(p), k)
	})
}

// checkUnsafe fails as the runtime's checks of unsafe.Slice and unsafe.String do.
func checkUnsafe(fp pointer, ip uint32, what string, p pointer, n int, size uintptr) {
	if machine.TooLarge(size, n) || size > 0 && uintptr(n)*size > -uintptr(p) && p != nil {
		machine.Mark(fp, ip)
		panic(gorelease.RuntimeError("unsafe." + what + ": len out of range"))
	}
	if p == nil && n > 0 {
		machine.Mark(fp, ip)
		panic(gorelease.RuntimeError("unsafe." + what + ": ptr is nil and len is not zero"))
	}
}

func buildUnsafeSliceData(c *compiler, in *ssa.Call) op {
	d, x := c.dst(in), c.slot(in.Call.Args[0])
	return func(fp pointer) { *ref[pointer](fp, d) = ref[rtype.Slice](fp, x).Array }
}

func buildUnsafeStringData(c *compiler, in *ssa.Call) op {
	d, x := c.dst(in), c.slot(in.Call.Args[0])
	return func(fp pointer) { *ref[*byte](fp, d) = unsafe.StringData(*ref[string](fp, x)) }
}

// buildSizeof serves values whose type is known only once generics are instantiated.
func buildSizeof(c *compiler, in *ssa.Call) op {
	return setInt(c.dst(in), int(c.typ(in.Call.Args[0].Type()).Size))
}

func buildAlignof(c *compiler, in *ssa.Call) op {
	return setInt(c.dst(in), c.typ(in.Call.Args[0].Type()).Reflect.Align())
}

// buildOffsetof has a value of a struct, and the fields that lead from it, each in the one before,
// to the one that is meant.
func buildOffsetof(c *compiler, in *ssa.Call) op {
	args := in.Call.Args
	return setInt(c.dst(in), int(unevaluated.Offset(c.typ(args[0].Type()).Reflect, args[1:])))
}
