package display

import (
	"cmp"
	"reflect"
	"slices"
)

// An entry is a key of a map with its value. They are taken together: a key that is not equal to
// itself, as NaN is, finds nothing.
type entry struct{ key, value reflect.Value }

// maxSorted bounds the maps whose entries are put in order: of larger ones a few are shown as they
// come.
const maxSorted = 100_000

// entries lists a map's entries: numbers and strings by value, others by the text of the key.
func entries(v reflect.Value) []entry {
	most, ordered := v.Len(), v.Len() <= maxSorted
	if !ordered {
		most = max(maxItems, DefaultMaxRows)
	}
	list := make([]entry, 0, most)
	for i := v.MapRange(); len(list) < most && i.Next(); {
		list = append(list, entry{i.Key(), i.Value()})
	}
	if ordered {
		slices.SortStableFunc(list, func(a, b entry) int { return compareKeys(a.key, b.key) })
	}
	return list
}

func compareKeys(a, b reflect.Value) int {
	if a.Kind() == b.Kind() {
		switch {
		case a.CanInt():
			return cmp.Compare(a.Int(), b.Int())
		case a.CanUint():
			return cmp.Compare(a.Uint(), b.Uint())
		case a.CanFloat():
			return cmp.Compare(a.Float(), b.Float())
		case a.Kind() == reflect.String:
			return cmp.Compare(a.String(), b.String())
		}
	}
	return cmp.Compare(keyText(a), keyText(b))
}

func keyText(v reflect.Value) string {
	p := printer{left: 20}
	return p.value(v, true).flat()
}
