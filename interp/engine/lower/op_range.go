package lower

import (
	"reflect"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"golang.org/x/tools/go/ssa"
)

// An iterator is what a Range instruction yields and Next advances.
type iterator struct {
	s string
	i int
	m *reflect.MapIter
}

func buildRange(c *compiler, in *ssa.Range) op {
	d, x, t := c.dst(in), c.slot(in.X), c.typ(in.X.Type())
	if t.Kind == reflect.String {
		return func(fp pointer) { *ref[*iterator](fp, d) = &iterator{s: *ref[string](fp, x)} }
	}
	return func(fp pointer) {
		// a copy: the slot may be overwritten while the loop runs
		m := reflect.New(t.Reflect).Elem()
		m.Set(t.Value(at(fp, x)))
		*ref[*iterator](fp, d) = &iterator{m: m.MapRange()}
	}
}

func buildNext(c *compiler, in *ssa.Next) op {
	x, parts := c.slot(in.Iter), c.parts[in]
	more, key, value := parts[0], parts[1], parts[2]
	if in.IsString {
		return nextRune(x, more, key, value)
	}
	ip := c.ip(in)
	return func(fp pointer) {
		machine.Mark(fp, ip)
		it := (*ref[*iterator](fp, x)).m
		ok := it.Next()
		*ref[bool](fp, more.at) = ok
		if !ok {
			return
		}
		if key.used {
			key.typ.Value(at(fp, key.at)).SetIterKey(it)
		}
		if value.used {
			value.typ.Value(at(fp, value.at)).SetIterValue(it)
		}
	}
}

func nextRune(x uintptr, more, key, value part) op {
	return func(fp pointer) {
		it := *ref[*iterator](fp, x)
		if it.i >= len(it.s) {
			*ref[bool](fp, more.at) = false
			return
		}
		r, n := utf8.DecodeRuneInString(it.s[it.i:])
		*ref[bool](fp, more.at) = true
		if key.used {
			*ref[int](fp, key.at) = it.i
		}
		if value.used {
			*ref[rune](fp, value.at) = r
		}
		it.i += n
	}
}
