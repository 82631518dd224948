package calls

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
)

// Direct is a call of a compiled func known when it is compiled, with one to four words as
// arguments and no result or an error, as most methods of compiled types have: one closure in place
// of the three that take any signature's words apart. nil for other calls.
func Direct(ft reflect.Type, args, results []machine.Slot, word pointer, ip uint32) op {
	p := planCall(ft, args, results, false)
	if p == nil || len(p.floats) > 0 || len(p.stack) > 0 || len(p.words) == 0 || len(p.words) > 4 {
		return nil
	}
	var a [4]uintptr
	for i, w := range p.words {
		if w.size != 8 {
			return nil
		}
		a[i] = w.at
	}
	switch {
	case p.kinds == "":
		return directNothing(len(p.words), a, word, ip)
	case p.kinds == "PP" && p.results[1].at == p.results[0].at+8:
		return directPair(len(p.words), a, p.results[0].at, word, ip)
	}
	return nil
}

// passed reads an argument. The frame holds what it points to until the func has it.
func passed(fp pointer, at uintptr) uintptr { return *ref[uintptr](fp, at) }

func directPair(n int, a [4]uintptr, d uintptr, fn pointer, ip uint32) op {
	p, q, r, s := a[0], a[1], a[2], a[3]
	switch n {
	case 1:
		f := *(*func(p uintptr) pair)(pointer(&fn))
		return func(fp pointer) {
			machine.Mark(fp, ip)
			*ref[pair](fp, d) = f(passed(fp, p))
			head(fp).Routine.Top = fp
		}
	case 2:
		f := *(*func(p, q uintptr) pair)(pointer(&fn))
		return func(fp pointer) {
			machine.Mark(fp, ip)
			*ref[pair](fp, d) = f(passed(fp, p), passed(fp, q))
			head(fp).Routine.Top = fp
		}
	case 3:
		f := *(*func(p, q, r uintptr) pair)(pointer(&fn))
		return func(fp pointer) {
			machine.Mark(fp, ip)
			*ref[pair](fp, d) = f(passed(fp, p), passed(fp, q), passed(fp, r))
			head(fp).Routine.Top = fp
		}
	}
	f := *(*func(p, q, r, s uintptr) pair)(pointer(&fn))
	return func(fp pointer) {
		machine.Mark(fp, ip)
		*ref[pair](fp, d) = f(passed(fp, p), passed(fp, q), passed(fp, r), passed(fp, s))
		head(fp).Routine.Top = fp
	}
}

func directNothing(n int, a [4]uintptr, fn pointer, ip uint32) op {
	p, q, r, s := a[0], a[1], a[2], a[3]
	switch n {
	case 1:
		f := *(*func(p uintptr))(pointer(&fn))
		return func(fp pointer) {
			machine.Mark(fp, ip)
			f(passed(fp, p))
			head(fp).Routine.Top = fp
		}
	case 2:
		f := *(*func(p, q uintptr))(pointer(&fn))
		return func(fp pointer) {
			machine.Mark(fp, ip)
			f(passed(fp, p), passed(fp, q))
			head(fp).Routine.Top = fp
		}
	case 3:
		f := *(*func(p, q, r uintptr))(pointer(&fn))
		return func(fp pointer) {
			machine.Mark(fp, ip)
			f(passed(fp, p), passed(fp, q), passed(fp, r))
			head(fp).Routine.Top = fp
		}
	}
	f := *(*func(p, q, r, s uintptr))(pointer(&fn))
	return func(fp pointer) {
		machine.Mark(fp, ip)
		f(passed(fp, p), passed(fp, q), passed(fp, r), passed(fp, s))
		head(fp).Routine.Top = fp
	}
}
