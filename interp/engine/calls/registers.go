package calls

import (
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// Signatures that nativeShapes does not have are called by registers: a compiled func takes its
// arguments apart into words, the first in integer and floating-point registers and what does not
// fit on the stack (the Go internal ABI specification, "Function call argument and result
// passing"). A func of nine words, four floats and a block of memory takes every such signature's,
// each where its own would be; words that a signature does not have are not looked at. Results are
// taken apart likewise, but their types say which words are pointers: nothing else would show them
// to the collector before they are in the frame.

const (
	callWords  = gorelease.CallWords
	callFloats = gorelease.CallFloats
	stackWords = gorelease.StackWords
)

// count is how many of the leaves are words, and how many floats.
func count(ls []gorelease.Leaf) (words, floats int) {
	for _, l := range ls {
		if l.Kind == 'F' {
			floats++
		} else {
			words++
		}
	}
	return words, floats
}

// A piece moves between a place in memory and a register, or the stack.
type piece struct {
	at, size uintptr
	to       uintptr // in the block of memory or in the results
	pointer  bool
	received bool // at counts from the receiver, not from the frame
}

// A registerCall says where the pieces of arguments and results are.
type registerCall struct {
	words, floats, stack []piece
	results              []piece
	kinds                string // the results' words, then their floats
}

// planCall lays a call out; nil where it cannot be made so. The first argument's slot counts from
// the receiver where received is set.
func planCall(ft reflect.Type, args, results []machine.Slot, received bool) *registerCall {
	if !gorelease.Registers.Holds() {
		return nil
	}
	p := &registerCall{}
	var size uintptr
	for i, a := range args {
		in := received && i == 0
		if t := ft.In(i); t.Size() == 0 {
			size = machine.AlignUp(size, uintptr(t.Align()))
		} else if !p.assign(t, a.At, in) {
			size = machine.AlignUp(size, uintptr(t.Align()))
			p.stack = append(p.stack, piece{at: a.At, size: t.Size(), to: size, received: in})
			size += t.Size()
		}
	}
	if len(p.words) > callWords || len(p.floats) > callFloats || size > 8*stackWords || !p.returns(ft, results) {
		return nil
	}
	return p
}

// assign gives an argument registers, all or none.
func (p *registerCall) assign(t reflect.Type, at uintptr, received bool) bool {
	ls, ok := gorelease.Leaves(t, 0, nil)
	if !ok {
		return false
	}
	words, floats := count(ls)
	if len(p.words)+words > gorelease.IntRegisters || len(p.floats)+floats > gorelease.FloatRegisters {
		return false
	}
	for _, l := range ls {
		to := &p.words
		if l.Kind == 'F' {
			to = &p.floats
		}
		*to = append(*to, piece{at: at + l.Offset, size: l.Size, received: received})
	}
	return true
}

// returns finds what the results lie in.
func (p *registerCall) returns(ft reflect.Type, results []machine.Slot) bool {
	var all []gorelease.Leaf
	for i, r := range results {
		ls, ok := gorelease.Leaves(ft.Out(i), r.At, nil)
		if !ok || ft.Out(i).Size() == 0 {
			return false
		}
		all = append(all, ls...)
	}
	words, _ := count(all)
	p.results = make([]piece, len(all))
	kinds := make([]byte, len(all))
	w, f := 0, words
	for _, l := range all {
		n := &w
		if l.Kind == 'F' {
			n = &f
		}
		p.results[*n] = piece{at: l.Offset, size: l.Size, to: 8 * uintptr(*n), pointer: l.Kind == 'P'}
		kinds[*n] = l.Kind
		*n++
	}
	p.kinds = string(kinds)
	return resultForms[p.kinds] != nil
}

// A receiving op is a nativeOp that has the receiver's address too, where that is not in the frame.
type receivingOp func(fp, fn, recv pointer)

// registerOp is the op of a call, nil where there is none.
func registerOp(ft reflect.Type, args, results []machine.Slot) Call {
	if p := planCall(ft, args, results, false); p != nil {
		call := resultForms[p.kinds](p)
		return func(fp, fn pointer) { call(fp, fn, nil) }
	}
	return nil
}

// load reads what a register is to hold. Pointers among it are held by the frame, or by the
// receiver, until the func has them.
func load(x *piece, fp, recv pointer) uintptr {
	p := at(fp, x.at)
	if x.received {
		p = at(recv, x.at)
	}
	switch x.size {
	case 8:
		return *(*uintptr)(p)
	case 4:
		return uintptr(*(*uint32)(p))
	case 2:
		return uintptr(*(*uint16)(p))
	}
	return uintptr(*(*uint8)(p))
}

// store puts what a register held where it belongs.
func (p *registerCall) store(fp, from pointer) {
	for i := range p.results {
		x := &p.results[i]
		to, from := at(fp, x.at), at(from, x.to)
		switch {
		case x.pointer:
			*(*pointer)(to) = *(*pointer)(from)
		case x.size == 8:
			*(*uint64)(to) = *(*uint64)(from)
		case x.size == 4:
			*(*uint32)(to) = *(*uint32)(from)
		case x.size == 2:
			*(*uint16)(to) = *(*uint16)(from)
		default:
			*(*uint8)(to) = *(*uint8)(from)
		}
	}
}

type (
	inWords[R any] = func(a, b, c, d, e, f, g, h, i uintptr) R
	inAll[R any]   = func(a, b, c, d, e, f, g, h, i uintptr, w, x, y, z float64, stack [stackWords]uintptr) R
)

// returning makes calls whose results are an R.
func returning[R any](p *registerCall) receivingOp {
	if len(p.floats) > 0 || len(p.stack) > 0 {
		return returningAll[R](p)
	}
	if len(p.results) == 2 && p.kinds == "PP" && p.results[1].at == p.results[0].at+8 {
		return returningPair(p) // an error, mostly
	}
	return func(fp, fn, recv pointer) {
		var w [callWords]uintptr
		for i := range p.words {
			w[i] = load(&p.words[i], fp, recv)
		}
		r := (*(*inWords[R])(pointer(&fn)))(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8])
		p.store(fp, pointer(&r))
	}
}

func returningPair(p *registerCall) receivingOp {
	d := p.results[0].at
	return func(fp, fn, recv pointer) {
		var w [callWords]uintptr
		for i := range p.words {
			w[i] = load(&p.words[i], fp, recv)
		}
		*ref[pair](fp, d) = (*(*inWords[pair])(pointer(&fn)))(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8])
	}
}

func returningAll[R any](p *registerCall) receivingOp {
	return func(fp, fn, recv pointer) {
		var w [callWords]uintptr
		var f [callFloats]float64
		var stack [stackWords]uintptr
		p.loadAll(&w, &f, &stack, fp, recv)
		r := (*(*inAll[R])(pointer(&fn)))(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], f[0], f[1], f[2], f[3], stack)
		p.store(fp, pointer(&r))
	}
}

func (p *registerCall) loadAll(w *[callWords]uintptr, f *[callFloats]float64, stack *[stackWords]uintptr, fp,
	recv pointer) {
	for i := range p.words {
		w[i] = load(&p.words[i], fp, recv)
	}
	for i := range p.floats {
		*(*uintptr)(pointer(&f[i])) = load(&p.floats[i], fp, recv) // a float32 is the lower half of its register
	}
	for i := range p.stack {
		x := &p.stack[i]
		from := at(fp, x.at)
		if x.received {
			from = at(recv, x.at)
		}
		copy(unsafe.Slice((*byte)(at(pointer(stack), x.to)), x.size), unsafe.Slice((*byte)(from), x.size))
	}
}

// nothing makes calls without results.
func nothing(p *registerCall) receivingOp {
	if len(p.floats) == 0 && len(p.stack) == 0 {
		return func(fp, fn, recv pointer) {
			var w [callWords]uintptr
			for i := range p.words {
				w[i] = load(&p.words[i], fp, recv)
			}
			(*(*func(a, b, c, d, e, f, g, h, i uintptr))(pointer(&fn)))(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8])
		}
	}
	return func(fp, fn, recv pointer) {
		var w [callWords]uintptr
		var f [callFloats]float64
		var stack [stackWords]uintptr
		p.loadAll(&w, &f, &stack, fp, recv)
		(*(*func(a, b, c, d, e, f, g, h, i uintptr, w, x, y, z float64, stack [stackWords]uintptr))(pointer(&fn)))(
			w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], f[0], f[1], f[2], f[3], stack)
	}
}

// What results of one to six registers lie in: words in order, then floats.
type (
	wp = pointer
	wi = uintptr
	wf = float64

	one[A any]    struct{ A A }
	two[A, B any] struct {
		A A
		B B
	}
	three[A, B, C any] struct {
		A A
		B B
		C C
	}
	four[A, B, C, D any] struct {
		A A
		B B
		C C
		D D
	}
	five[A, B, C, D, E any] struct {
		A A
		B B
		C C
		D D
		E E
	}
	six[A, B, C, D, E, F any] struct {
		A A
		B B
		C C
		D D
		E E
		F F
	}
)

// resultForms make calls by the letters of their results' leaves: all of one to four words, and the
// common ones beyond.
var resultForms map[string]func(*registerCall) receivingOp

func init() { // the calls are made by the table's own funcs
	resultForms = map[string]func(*registerCall) receivingOp{
		"":  nothing,
		"P": returning[one[wp]], "I": returning[one[wi]], "PP": returning[two[wp, wp]], "PI": returning[two[wp, wi]],
		"IP": returning[two[wi, wp]],
		"II": returning[two[wi, wi]], "PPP": returning[three[wp, wp, wp]], "PPI": returning[three[wp, wp, wi]],
		"PIP": returning[three[wp, wi, wp]],
		"PII": returning[three[wp, wi, wi]], "IPP": returning[three[wi, wp, wp]], "IPI": returning[three[wi, wp, wi]],
		"IIP": returning[three[wi, wi, wp]],
		"III": returning[three[wi, wi, wi]], "PPPP": returning[four[wp, wp, wp, wp]], "PPPI": returning[four[wp, wp, wp, wi]],
		"PPIP": returning[four[wp, wp, wi, wp]], "PPII": returning[four[wp, wp, wi, wi]],
		"PIPP": returning[four[wp, wi, wp, wp]],
		"PIPI": returning[four[wp, wi, wp, wi]], "PIIP": returning[four[wp, wi, wi, wp]],
		"PIII": returning[four[wp, wi, wi, wi]],
		"IPPP": returning[four[wi, wp, wp, wp]], "IPPI": returning[four[wi, wp, wp, wi]],
		"IPIP": returning[four[wi, wp, wi, wp]],
		"IPII": returning[four[wi, wp, wi, wi]], "IIPP": returning[four[wi, wi, wp, wp]],
		"IIPI": returning[four[wi, wi, wp, wi]],
		"IIIP": returning[four[wi, wi, wi, wp]], "IIII": returning[four[wi, wi, wi, wi]],
		"PIIPP": returning[five[wp, wi, wi, wp, wp]],
		"PIPII": returning[five[wp, wi, wp, wi, wi]], "PIPIP": returning[five[wp, wi, wp, wi, wp]],
		"PPPPP": returning[five[wp, wp, wp, wp, wp]],
		"IIIII": returning[five[wi, wi, wi, wi, wi]], "IIIPP": returning[five[wi, wi, wi, wp, wp]],
		"PIIPI": returning[five[wp, wi, wi, wp, wi]],
		"IIIPI": returning[five[wi, wi, wi, wp, wi]],
		"IPIPP": returning[five[wi, wp, wi, wp, wp]], "PIIII": returning[five[wp, wi, wi, wi, wi]],
		"PIPPP": returning[five[wp, wi, wp, wp, wp]],
		"PPPIP": returning[five[wp, wp, wp, wi, wp]], "PIPIPP": returning[six[wp, wi, wp, wi, wp, wp]],
		"PIIIPP": returning[six[wp, wi, wi, wi, wp, wp]],
		"PIIPII": returning[six[wp, wi, wi, wp, wi, wi]], "IIIIII": returning[six[wi, wi, wi, wi, wi, wi]],
		"PPPPPP": returning[six[wp, wp, wp, wp, wp, wp]], "PIPIPI": returning[six[wp, wi, wp, wi, wp, wi]],
		"F":  returning[one[wf]],
		"FF": returning[two[wf, wf]], "FFF": returning[three[wf, wf, wf]], "IF": returning[two[wi, wf]],
		"PF":  returning[two[wp, wf]],
		"PPF": returning[three[wp, wp, wf]], "PPFF": returning[four[wp, wp, wf, wf]], "IIF": returning[three[wi, wi, wf]],
		"IFF": returning[three[wi, wf, wf]], "PIF": returning[three[wp, wi, wf]],
		"PIPPF": returning[five[wp, wi, wp, wp, wf]],
	}
}
