package vm

import (
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

func buildMakeMap(c *compiler, in *ssa.MakeMap) op {
	d, t := c.dst(in), c.typ(in.Type())
	if in.Reserve == nil {
		return func(fp pointer) { *ref[pointer](fp, d) = rtype.MakeMap(t.word, 0) }
	}
	n := c.index(in.Reserve)
	return n.before(func(fp pointer) {
		hint := *ref[int](fp, n.slot)
		if hint < 0 || hint > 1<<40 {
			hint = 0 // a hint that cannot be met is no failure
		}
		*ref[pointer](fp, d) = rtype.MakeMap(t.word, hint)
	})
}

// A mapGet finds the element's memory for the key in a slot, nil if there is none.
type mapGet func(fp pointer, m pointer, key uintptr) pointer

func mapGetter(t *typ) mapGet {
	w := t.word
	switch rtype.MapFastKey(w) {
	case rtype.Uint64Key:
		return func(fp, m pointer, key uintptr) pointer { return rtype.MapGet64(w, m, *ref[uint64](fp, key)) }
	case rtype.StringKey:
		return func(fp, m pointer, key uintptr) pointer { return rtype.MapGetString(w, m, *ref[string](fp, key)) }
	}
	return func(fp, m pointer, key uintptr) pointer { return rtype.MapGet(w, m, at(fp, key)) }
}

func buildLookup(c *compiler, in *ssa.Lookup) op {
	mt, ok := in.X.Type().Underlying().(*types.Map)
	if !ok {
		return operand[uint8]{form: computed, f: c.byteOf(in, in.X, in.Index)}.into(c.dst(in))
	}
	t, elem := c.typ(in.X.Type()), c.typ(mt.Elem())
	get := mapGetter(t)
	x, k, ip := c.slot(in.X), c.slot(in.Index), c.ip(in)
	if in.CommaOk {
		return lookupOk(get, c.parts[in], x, k, ip, elem)
	}
	d := c.dst(in)
	if elem.shape == shape64 && rtype.MapFastKey(t.word) == rtype.Uint64Key {
		w := t.word
		return func(fp pointer) {
			if p := rtype.MapGet64(w, *ref[pointer](fp, x), *ref[uint64](fp, k)); p != nil {
				*ref[uint64](fp, d) = *(*uint64)(p)
			} else {
				*ref[uint64](fp, d) = 0
			}
		}
	}
	return func(fp pointer) {
		mark(fp, ip)
		if p := get(fp, *ref[pointer](fp, x), k); p != nil {
			elem.move(at(fp, d), p)
		} else {
			elem.zero(at(fp, d))
		}
	}
}

func lookupOk(get mapGet, parts []part, x, k uintptr, ip uint32, elem *typ) op {
	value, found := parts[0], parts[1]
	return func(fp pointer) {
		mark(fp, ip)
		p := get(fp, *ref[pointer](fp, x), k)
		if value.used {
			if p != nil {
				elem.move(at(fp, value.at), p)
			} else {
				elem.zero(at(fp, value.at))
			}
		}
		if found.used {
			*ref[bool](fp, found.at) = p != nil
		}
	}
}

func buildMapUpdate(c *compiler, in *ssa.MapUpdate) op {
	t, elem := c.typ(in.Map.Type()), c.typ(in.Value.Type())
	x, k, v, ip := c.slot(in.Map), c.slot(in.Key), c.slot(in.Value), c.ip(in)
	w := t.word
	switch rtype.MapFastKey(w) {
	case rtype.Uint64Key:
		return func(fp pointer) {
			mark(fp, ip)
			elem.move(rtype.MapSlot64(w, *ref[pointer](fp, x), *ref[uint64](fp, k)), at(fp, v))
		}
	case rtype.StringKey:
		return func(fp pointer) {
			mark(fp, ip)
			elem.move(rtype.MapSlotString(w, *ref[pointer](fp, x), *ref[string](fp, k)), at(fp, v))
		}
	}
	return func(fp pointer) {
		mark(fp, ip)
		elem.move(rtype.MapSlot(w, *ref[pointer](fp, x), at(fp, k)), at(fp, v))
	}
}
