package lower

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// loaded reads a T at an address.
func loaded[T any](a address) value[T] {
	off := a.off
	switch a.base {
	case inFrame:
		m := a.slot + off
		return func(fp pointer) T { return *ref[T](fp, m) }
	case fixed:
		p := (*T)(unsafeAdd(a.p, off))
		return func(pointer) T { return *p }
	case through:
		x, ip := a.slot, a.ip
		return func(fp pointer) T {
			p := *ref[pointer](fp, x)
			if p == nil {
				machine.FailNil(fp, ip)
			}
			return *(*T)(unsafeAdd(p, off))
		}
	case ofElement:
		return loadedElement[T](a)
	}
	f := a.f
	return func(fp pointer) T { return *(*T)(unsafeAdd(f(fp), off)) }
}

func loadedElement[T any](a address) value[T] {
	x, j, size, off, ip, unsigned := a.slot, a.index.slot, a.size, a.off, a.ip, a.unsigned
	switch {
	case a.index.form == fromSlot && a.plain(sizeOf[T]()):
		return func(fp pointer) T {
			s, k := *ref[[]T](fp, x), *ref[int](fp, j)
			if uint(k) >= uint(len(s)) {
				machine.FailBounds(fp, ip, gorelease.BoundsIndex, k, len(s), unsigned)
			}
			return s[k]
		}
	case a.index.form != fromSlot && a.plain(sizeOf[T]()):
		i := a.index.value()
		return func(fp pointer) T {
			k := i(fp)
			s := *ref[[]T](fp, x)
			if uint(k) >= uint(len(s)) {
				machine.FailBounds(fp, ip, gorelease.BoundsIndex, k, len(s), unsigned)
			}
			return s[k]
		}
	case a.index.form == fromSlot:
		return func(fp pointer) T {
			s, k := ref[rtype.Slice](fp, x), *ref[int](fp, j)
			if uint(k) >= uint(s.Len) {
				machine.FailBounds(fp, ip, gorelease.BoundsIndex, k, s.Len, unsigned)
			}
			return *(*T)(unsafeAdd(s.Array, uintptr(k)*size+off))
		}
	}
	f := a.elementValue()
	return func(fp pointer) T { return *(*T)(f(fp)) }
}

// plain reports whether the address is that of a whole element.
func (a address) plain(size uintptr) bool { return a.size == size && a.off == 0 }

// loadInto reads a T at an address into a slot.
func loadInto[T any](a address, d uintptr) op {
	off := a.off
	switch {
	case a.base == inFrame:
		return moveSlot[T](d, a.slot+off)
	case a.base == fixed:
		p := (*T)(unsafeAdd(a.p, off))
		return func(fp pointer) { *ref[T](fp, d) = *p }
	case a.base == through:
		x, ip := a.slot, a.ip
		return func(fp pointer) {
			p := *ref[pointer](fp, x)
			if p == nil {
				machine.FailNil(fp, ip)
			}
			*ref[T](fp, d) = *(*T)(unsafeAdd(p, off))
		}
	case a.base == ofElement && a.index.form == fromSlot && a.plain(sizeOf[T]()):
		x, j, ip, unsigned := a.slot, a.index.slot, a.ip, a.unsigned
		return func(fp pointer) {
			s, k := *ref[[]T](fp, x), *ref[int](fp, j)
			if uint(k) >= uint(len(s)) {
				machine.FailBounds(fp, ip, gorelease.BoundsIndex, k, len(s), unsigned)
			}
			*ref[T](fp, d) = s[k]
		}
	}
	f := a.value()
	return func(fp pointer) { *ref[T](fp, d) = *(*T)(f(fp)) }
}

// stored writes an operand to an address. An address that takes more than a look into a slot is
// computed first.
func stored[T any](a address, v operand[T]) op {
	off, x, ip := a.off, a.slot, a.ip
	s, k, f := v.slot, v.k, v.f
	switch {
	case a.base == inFrame:
		return v.into(x + off)
	case a.base == fixed:
		return storedFixed((*T)(unsafeAdd(a.p, off)), v)
	case a.base == through && v.form == fromSlot:
		return func(fp pointer) {
			p := *ref[pointer](fp, x)
			if p == nil {
				machine.FailNil(fp, ip)
			}
			*(*T)(unsafeAdd(p, off)) = *ref[T](fp, s)
		}
	case a.base == through:
		value := v.value()
		return func(fp pointer) {
			y := value(fp)
			p := *ref[pointer](fp, x)
			if p == nil {
				machine.FailNil(fp, ip)
			}
			*(*T)(unsafeAdd(p, off)) = y
		}
	case a.base == ofElement && a.index.form == fromSlot && a.plain(sizeOf[T]()):
		return storedElement(a, v)
	}
	p := a.value()
	switch v.form {
	case fromSlot:
		return func(fp pointer) { *(*T)(p(fp)) = *ref[T](fp, s) }
	case isConstant:
		return func(fp pointer) { *(*T)(p(fp)) = k }
	}
	return func(fp pointer) {
		to := (*T)(p(fp))
		*to = f(fp)
	}
}

func storedFixed[T any](p *T, v operand[T]) op {
	s, k, f := v.slot, v.k, v.f
	switch v.form {
	case fromSlot:
		return func(fp pointer) { *p = *ref[T](fp, s) }
	case isConstant:
		return func(pointer) { *p = k }
	}
	return func(fp pointer) { *p = f(fp) }
}

func storedElement[T any](a address, v operand[T]) op {
	x, j, ip, unsigned := a.slot, a.index.slot, a.ip, a.unsigned
	from, k, f := v.slot, v.k, v.f
	switch v.form {
	case fromSlot:
		return func(fp pointer) {
			s, i := *ref[[]T](fp, x), *ref[int](fp, j)
			if uint(i) >= uint(len(s)) {
				machine.FailBounds(fp, ip, gorelease.BoundsIndex, i, len(s), unsigned)
			}
			s[i] = *ref[T](fp, from)
		}
	case isConstant:
		return func(fp pointer) {
			s, i := *ref[[]T](fp, x), *ref[int](fp, j)
			if uint(i) >= uint(len(s)) {
				machine.FailBounds(fp, ip, gorelease.BoundsIndex, i, len(s), unsigned)
			}
			s[i] = k
		}
	}
	return func(fp pointer) {
		s, i := *ref[[]T](fp, x), *ref[int](fp, j)
		if uint(i) >= uint(len(s)) {
			machine.FailBounds(fp, ip, gorelease.BoundsIndex, i, len(s), unsigned)
		}
		s[i] = f(fp)
	}
}

func sizeOf[T any]() uintptr {
	var x T
	return unsafe.Sizeof(x)
}
