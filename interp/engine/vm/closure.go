package vm

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A funcObject is what a func value of cell code points to, so that compiled code can call it like any other: its first words are a
// closure of compiled code, an adapter for the signature (adapters.go) where there is one, else what reflect.MakeFunc makes.
// Captured variables follow.
type funcObject struct {
	call   [gorelease.MadeFuncWords]pointer // pc and its closure words, or those of reflect.MakeFunc
	pc     pointer                          // the closure that the latter's func points to: code and ...
	self   *funcObject
	target *target
}

const (
	funcObjectSize = unsafe.Sizeof(funcObject{})
	trampolineAt   = unsafe.Offsetof(funcObject{}.pc)
)

// A funcForm is how func values of one type are made: the words to copy and where the object's own address goes.
type funcForm struct {
	call    [gorelease.MadeFuncWords]pointer
	self    int  // index in call of the closure's captured object; 0 if made like reflect.MakeFunc
	adapted bool // an adapter of this package
}

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
	f, ok := v.options.Adapter(t)
	if !ok {
		if err := gorelease.MadeFuncs.Err(); err != nil {
			panic(&engine.Refusal{What: "a value of " + t.String(), Reason: err.Error()})
		}
		f = &funcForm{}
		mf := rtype.FuncWord(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return nil }))
		f.call = *(*[gorelease.MadeFuncWords]pointer)(mf)
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
	if *(*pointer)(at(p, gorelease.MadeFuncFn*8)) == at(p, trampolineAt) {
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
	o.call[gorelease.MadeFuncFn] = at(pointer(o), trampolineAt)
}

// An objectLayout is the memory of func objects with captured variables.
type objectLayout struct {
	frame *rtype.FrameType
	at    []uintptr
	typs  []*typ
	// words is true if all captured variables are single pointers, one behind the other.
	words bool
}

// newObjectLayout is that of func objects which capture variables of the given types.
func newObjectLayout(captured []*typ) *objectLayout {
	l := area{size: funcObjectSize}
	ol := &objectLayout{typs: captured, words: true}
	for _, t := range captured {
		ol.at = append(ol.at, l.add(t))
		ol.words = ol.words && t.shape == shapePtr
	}
	var ptrs []uintptr
	for i := range gorelease.MadeFuncWords {
		if !gorelease.MadeFuncNumber(i) { // in adapters these are nothing, or a dictionary in static data
			ptrs = append(ptrs, uintptr(i)*8)
		}
	}
	// the code addresses at 0 and trampolineAt point to no heap object
	ptrs = append(ptrs[1:], unsafe.Offsetof(funcObject{}.self), unsafe.Offsetof(funcObject{}.target))
	ol.frame = l.frameType(ptrs...)
	return ol
}

// capture copies an object's captured variables into a frame.
func (c *code) capture(fp pointer, o *funcObject, ol *objectLayout) {
	if ol.words {
		for i, s := range c.captures {
			*ref[pointer](fp, s.at) = *o.captureWord(i)
		}
		return
	}
	for i, s := range c.captures {
		s.typ.move(at(fp, s.at), ol.captured(o, i))
	}
}

// objects is the layout of the target's func objects, which capture variables of the given types.
func (t *target) objects(captured []*typ) *objectLayout {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.layout == nil {
		t.layout = newObjectLayout(captured)
	}
	return t.layout
}

// funcValue is the word of the func value, of type ft, of a function that captures nothing.
func (t *target) funcValue(ft reflect.Type) pointer {
	ol, form := t.objects(nil), t.vm.form(ft)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.value == nil {
		t.value = ol.newObject(form, t)
	}
	return pointer(t.value)
}

// newObject makes a func object, without what it captures.
func (ol *objectLayout) newObject(form *funcForm, t *target) *funcObject {
	o := (*funcObject)(ol.frame.New())
	form.init(o, t)
	return o
}

// captureWord is where object o, whose layout is of words, has captured variable number i.
func (o *funcObject) captureWord(i int) *pointer {
	return (*pointer)(at(pointer(o), funcObjectSize+uintptr(i)*8))
}

// captured is where object o has captured variable number i.
func (ol *objectLayout) captured(o *funcObject, i int) pointer { return at(pointer(o), ol.at[i]) }

func (o *funcObject) String() string { return fmt.Sprintf("func object of %p", o.target) }
