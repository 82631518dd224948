package lower

import (
	"go/types"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

func buildMakeMap(c *compiler, in *ssa.MakeMap) op {
	d, t := c.dst(in), c.typ(in.Type())
	if in.Reserve == nil {
		return func(fp pointer) { *ref[pointer](fp, d) = rtype.MakeMap(t.Word, 0) }
	}
	n := c.index(in.Reserve)
	return n.before(func(fp pointer) {
		hint := *ref[int](fp, n.slot)
		if hint < 0 || hint > 1<<40 {
			hint = 0 // a hint that cannot be met is no failure
		}
		*ref[pointer](fp, d) = rtype.MakeMap(t.Word, hint)
	})
}

// fastKey is how the runtime looks keys of a map type up.
func (c *compiler) fastKey(w rtype.Word) rtype.FastKey {
	if c.unit.machine.General {
		return rtype.SlowKey
	}
	return rtype.MapFastKey(w)
}

// A mapGet finds the element's memory for the key in a slot, nil if there is none.
type mapGet func(fp pointer, m pointer, key uintptr) pointer

func (c *compiler) mapGetter(t *typ) mapGet {
	w := t.Word
	switch c.fastKey(w) {
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
	get := c.mapGetter(t)
	x, ip := c.slot(in.X), c.ip(in)
	if in.CommaOk {
		return lookupOk(get, c.parts[in], x, c.slot(in.Index), ip, elem)
	}
	d := c.dst(in)
	if f := lookups64[elem.Shape]; f != nil && c.fastKey(t.Word) == rtype.Uint64Key {
		key, _ := c.word(in.Index)
		return f(t.Word, d, x, key)
	}
	k := c.slot(in.Index)
	return func(fp pointer) {
		machine.Mark(fp, ip)
		if p := get(fp, *ref[pointer](fp, x), k); p != nil {
			elem.Move(at(fp, d), p)
		} else {
			elem.Zero(at(fp, d))
		}
	}
}

// lookups64 are the lookups of maps with keys of 64 bits, which cannot fail, by the shape of the
// elements.
var lookups64 = map[machine.Shape]func(w rtype.Word, d, x uintptr, key operand[uint64]) op{
	machine.Shape8: lookup64[uint8], machine.Shape32: lookup64[uint32], machine.ShapeF32: lookup64[uint32],
	machine.Shape64: lookup64[uint64], machine.ShapeF64: lookup64[uint64],
	machine.ShapePtr: lookup64[pointer], machine.ShapeString: lookup64[string], machine.ShapeSlice: lookup64[[]byte],
	machine.ShapeIface: lookup64[pair],
}

func lookup64[T any](w rtype.Word, d, x uintptr, key operand[uint64]) op {
	k := key.value()
	return func(fp pointer) {
		if p := rtype.MapGet64(w, *ref[pointer](fp, x), k(fp)); p != nil {
			*ref[T](fp, d) = *(*T)(p)
		} else {
			var zero T
			*ref[T](fp, d) = zero
		}
	}
}

func lookupOk(get mapGet, parts []part, x, k uintptr, ip uint32, elem *typ) op {
	value, found := parts[0], parts[1]
	return func(fp pointer) {
		machine.Mark(fp, ip)
		p := get(fp, *ref[pointer](fp, x), k)
		if value.used {
			if p != nil {
				elem.Move(at(fp, value.at), p)
			} else {
				elem.Zero(at(fp, value.at))
			}
		}
		if found.used {
			*ref[bool](fp, found.at) = p != nil
		}
	}
}

func buildMapUpdate(c *compiler, in *ssa.MapUpdate) op {
	if operation := c.updates[in]; operation != nil {
		return updates[c.class(operation)](c, address{base: reached, f: c.mapSlot(in)}, operation)
	}
	elem := c.typ(in.Value.Type())
	if k := c.class(in.Value); k != noClass {
		return elementStores[k](c, in)
	}
	slot, v := c.mapSlot(in), c.slot(in.Value)
	return func(fp pointer) { elem.Move(slot(fp), at(fp, v)) }
}

// elementStores put values of a class into a map; the value is computed first.
var elementStores map[class]func(c *compiler, in *ssa.MapUpdate) op

func init() { // the values are made with the table
	elementStores = map[class]func(c *compiler, in *ssa.MapUpdate) op{
		classInt: elementStore[int], classUint64: elementStore[uint64], classInt32: elementStore[int32],
		classUint32: elementStore[uint32],
		classUint8:  elementStore[uint8], classFloat64: elementStore[float64], classBool: elementStore[bool],
		classPointer: elementStore[pointer],
	}
}

func elementStore[T any](c *compiler, in *ssa.MapUpdate) op {
	x := operandOf[T](c, in.Value)
	s, f := x.slot, x.value()
	w := c.typ(in.Map.Type()).Word
	switch {
	case x.form != fromSlot:
	case c.fastKey(w) == rtype.Uint64Key:
		return elementStore64[T](c, in, w, s)
	default:
		slot := c.mapSlot(in)
		return func(fp pointer) { *(*T)(slot(fp)) = *ref[T](fp, s) }
	}
	slot := c.mapSlot(in)
	return func(fp pointer) {
		y := f(fp)
		*(*T)(slot(fp)) = y
	}
}

// elementStore64 stores what lies in slot s under a key of 64 bits.
func elementStore64[T any](c *compiler, in *ssa.MapUpdate, w rtype.Word, s uintptr) op {
	word, _ := c.word(in.Key)
	key, x, ip := word.value(), c.slot(in.Map), c.ip(in)
	return func(fp pointer) {
		n := key(fp)
		m := *ref[pointer](fp, x)
		if m == nil {
			machine.Mark(fp, ip)
		}
		*(*T)(rtype.MapSlot64(w, m, n)) = *ref[T](fp, s)
	}
}

// mapSlot finds the element's memory for a key, which it makes where there is none.
func (c *compiler) mapSlot(in *ssa.MapUpdate) value[pointer] {
	w, x, ip := c.typ(in.Map.Type()).Word, c.slot(in.Map), c.ip(in)
	switch c.fastKey(w) {
	case rtype.Uint64Key:
		word, _ := c.word(in.Key)
		key := word.value()
		return func(fp pointer) pointer {
			n := key(fp)
			m := *ref[pointer](fp, x)
			if m == nil {
				machine.Mark(fp, ip)
			}
			return rtype.MapSlot64(w, m, n)
		}
	case rtype.StringKey:
		k := c.slot(in.Key)
		return func(fp pointer) pointer {
			m := *ref[pointer](fp, x)
			if m == nil {
				machine.Mark(fp, ip)
			}
			return rtype.MapSlotString(w, m, *ref[string](fp, k))
		}
	}
	k := c.slot(in.Key)
	return func(fp pointer) pointer {
		machine.Mark(fp, ip) // the key may not be hashable
		return rtype.MapSlot(w, *ref[pointer](fp, x), at(fp, k))
	}
}
