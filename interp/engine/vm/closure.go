package vm

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
	"golang.org/x/tools/go/ssa"
)

// A funcObject is what a func value of cell code points to, so that compiled code can call it like any other: its first words are a
// closure of compiled code, an adapter for the signature (adapters.go) where there is one, else what reflect.MakeFunc makes.
// Captured variables follow.
type funcObject struct {
	call   [6]pointer // pc and its closure words, or reflect.makeFuncImpl
	pc     pointer    // the closure that makeFuncImpl's fn points to: code and ...
	self   *funcObject
	target *target
}

const (
	funcObjectSize = unsafe.Sizeof(funcObject{})
	trampolineAt   = unsafe.Offsetof(funcObject{}.pc)
)

// A funcForm is how func values of one type are made: the words to copy and where the object's own address goes.
type funcForm struct {
	call    [6]pointer
	self    int  // index in call of the closure's captured object; 0 if made like reflect.MakeFunc
	adapted bool // an adapter of this package
}

// makeFuncFn is the index in makeFuncImpl of the func that gets the values.
const makeFuncFn = 5

//go:noinline
func trampoline(o *funcObject) func([]reflect.Value) []reflect.Value {
	return func(args []reflect.Value) []reflect.Value { return o.callValues(args) }
}

var trampolinePC pointer

func init() {
	f := trampoline(nil)
	trampolinePC = **(**pointer)(pointer(&f))
}

// form returns how func values of type t are made.
func (v *vm) form(t reflect.Type) *funcForm {
	if f, ok := v.forms.Load(t); ok {
		return f.(*funcForm)
	}
	f, ok := adapterForm(t)
	if !ok {
		f = &funcForm{}
		mf := rtype.FuncWord(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return nil }))
		f.call = *(*[6]pointer)(mf)
	}
	got, _ := v.forms.LoadOrStore(t, f)
	return got.(*funcForm)
}

// own returns the func object behind a non-nil func word of a type with this form, nil if the func is compiled code's.
func (f *funcForm) own(p pointer) *funcObject {
	if *(*pointer)(p) != f.call[0] {
		return nil
	}
	if f.adapted {
		return *(**funcObject)(at(p, uintptr(f.self)*8))
	}
	if *(*pointer)(at(p, makeFuncFn*8)) == at(p, trampolineAt) {
		return (*funcObject)(p)
	}
	return nil
}

// init makes o callable by compiled code.
func (f *funcForm) init(o *funcObject, t *target) {
	o.call = f.call
	o.self, o.target = o, t
	if f.adapted {
		o.call[f.self] = pointer(o)
		return
	}
	o.pc = trampolinePC
	o.call[makeFuncFn] = at(pointer(o), trampolineAt)
}

// An objectLayout is the memory of func objects with captured variables.
type objectLayout struct {
	frame *rtype.FrameType
	at    []uintptr
	typs  []*typ
	// words is true if all captured variables are single pointers, one behind the other.
	words bool
}

func (u *unit) objectLayout(vars []*ssa.FreeVar) *objectLayout {
	l := layout{size: funcObjectSize}
	ol := &objectLayout{words: true}
	for _, v := range vars {
		t := u.typ(v.Type())
		ol.at = append(ol.at, l.add(t))
		ol.typs = append(ol.typs, t)
		ol.words = ol.words && t.shape == shapePtr
	}
	var ptrs []uintptr
	for i := range 6 {
		if i != 2 && i != 3 { // argLen and regPtrs of makeFuncImpl are numbers; in adapters nothing, or a dictionary in static data
			ptrs = append(ptrs, uintptr(i)*8)
		}
	}
	// the code addresses at 0 and trampolineAt point to no heap object
	ptrs = append(ptrs[1:], unsafe.Offsetof(funcObject{}.self), unsafe.Offsetof(funcObject{}.target))
	ptrs = append(ptrs, l.ptrs...)
	slices.Sort(ptrs)
	ft, err := rtype.NewFrameType(alignUp(l.size, 8), ptrs)
	if err != nil {
		panic(err)
	}
	ol.frame = ft
	return ol
}

// capture copies an object's captured variables into a frame.
func (c *code) capture(fp pointer, o *funcObject, ol *objectLayout) {
	if ol.words {
		for i, s := range c.captures {
			*ref[pointer](fp, s.at) = *(*pointer)(at(pointer(o), funcObjectSize+uintptr(i)*8))
		}
		return
	}
	for i, s := range c.captures {
		s.typ.move(at(fp, s.at), at(pointer(o), ol.at[i]))
	}
}

func buildMakeClosure(c *compiler, in *ssa.MakeClosure) op {
	fn := in.Fn.(*ssa.Function)
	t := c.unit.Target(fn)
	ol := t.objects(c.unit, fn)
	form := c.unit.vm.form(c.typ(in.Type()).rt)
	d := c.dst(in)
	from := make([]uintptr, len(in.Bindings))
	for i, b := range in.Bindings {
		from[i] = c.slot(b)
	}
	if ol.words {
		return func(fp pointer) {
			o := (*funcObject)(ol.frame.New())
			form.init(o, t)
			for i, x := range from {
				*(*pointer)(at(pointer(o), funcObjectSize+uintptr(i)*8)) = *ref[pointer](fp, x)
			}
			*ref[pointer](fp, d) = pointer(o)
		}
	}
	return func(fp pointer) {
		o := (*funcObject)(ol.frame.New())
		form.init(o, t)
		for i, x := range from {
			ol.typs[i].move(at(pointer(o), ol.at[i]), at(fp, x))
		}
		*ref[pointer](fp, d) = pointer(o)
	}
}

// objects is the layout of func objects of a function; the target keeps it alive for them.
func (t *target) objects(u *unit, fn *ssa.Function) *objectLayout {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.layout == nil {
		t.layout = u.objectLayout(fn.FreeVars)
	}
	return t.layout
}

// funcValue is the word of the func value of a function that captures nothing.
func (u *unit) funcValue(fn *ssa.Function) pointer {
	if fn.Blocks == nil && !u.Declared(fn) {
		return u.nativeValue(fn)
	}
	t := u.Target(fn)
	ol := t.objects(u, fn)
	form := u.vm.form(u.typ(fn.Signature).rt)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.value == nil {
		t.value = (*funcObject)(ol.frame.New())
		form.init(t.value, t)
	}
	return pointer(t.value)
}

func (o *funcObject) String() string { return fmt.Sprintf("func object of %p", o.target) }
