package machine

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// A FuncObject is what a func value of cell code points to, so that compiled code can call it like
// any other: its first words are a closure of compiled code, an adapter for the signature
// (package calls) where there is one, else what reflect.MakeFunc makes. Captured variables follow.
type FuncObject struct {
	call     [gorelease.MadeFuncWords]pointer // pc and its closure words, or those of reflect.MakeFunc
	pc       pointer                          // the closure that the latter's func points to: code and ...
	self     *FuncObject
	Function *Function
}

const (
	funcObjectSize = unsafe.Sizeof(FuncObject{})
	trampolineAt   = unsafe.Offsetof(FuncObject{}.pc)
)

// A FuncForm is how func values of one type are made: the words to copy and where the object's own
// address goes.
type FuncForm struct {
	Call    [gorelease.MadeFuncWords]pointer
	Self    int  // index in call of the closure's captured object; 0 if made like reflect.MakeFunc
	Adapted bool // an adapter
}

//go:noinline
func trampoline(o *FuncObject) func([]reflect.Value) []reflect.Value {
	return func(args []reflect.Value) []reflect.Value { return o.callValues(args) }
}

var trampolinePC pointer

func init() {
	f := trampoline(nil)
	trampolinePC = **(**pointer)(pointer(&f))
}

// FuncForm returns how func values of type t are made.
func (v *Machine) FuncForm(t reflect.Type) *FuncForm {
	if f, ok := v.forms.Load(t); ok {
		return f.(*FuncForm)
	}
	f, ok := v.Options.Adapter(t)
	if !ok {
		if err := gorelease.MadeFuncs.Err(); err != nil {
			panic(&engine.Refusal{What: "a value of " + t.String(), Reason: err.Error()})
		}
		f = &FuncForm{}
		mf := rtype.FuncWord(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return nil }))
		f.Call = *(*[gorelease.MadeFuncWords]pointer)(mf)
	}
	got, _ := v.forms.LoadOrStore(t, f)
	return got.(*FuncForm)
}

// Own returns the func object behind a non-nil func word of a type with this form, nil if the func
// is compiled code's.
func (f *FuncForm) Own(p pointer) *FuncObject {
	if *(*pointer)(p) != f.Call[0] {
		return nil
	}
	if f.Adapted {
		return *(**FuncObject)(at(p, uintptr(f.Self)*8))
	}
	if *(*pointer)(at(p, gorelease.MadeFuncFn*8)) == at(p, trampolineAt) {
		return (*FuncObject)(p)
	}
	return nil
}

// init makes o callable by compiled code.
func (f *FuncForm) init(o *FuncObject, t *Function) {
	o.call = f.Call
	o.self, o.Function = o, t
	if f.Adapted {
		o.call[f.Self] = pointer(o)
		return
	}
	o.pc = trampolinePC
	o.call[gorelease.MadeFuncFn] = at(pointer(o), trampolineAt)
}

// An ObjectLayout is the memory of func objects with captured variables.
type ObjectLayout struct {
	frame *rtype.FrameType
	at    []uintptr
	Types []*Type
	// Words is true if all captured variables are single pointers, one behind the other.
	Words bool
}

// newObjectLayout is that of func objects which capture variables of the given types.
func newObjectLayout(captured []*Type) *ObjectLayout {
	l := Area{Size: funcObjectSize}
	ol := &ObjectLayout{Types: captured, Words: true}
	for _, t := range captured {
		ol.at = append(ol.at, l.Add(t))
		ol.Words = ol.Words && t.Shape == ShapePtr
	}
	var ptrs []uintptr
	for i := range gorelease.MadeFuncWords {
		if !gorelease.MadeFuncNumber(i) { // in adapters these are nothing, or a dictionary in static data
			ptrs = append(ptrs, uintptr(i)*8)
		}
	}
	// the code addresses at 0 and trampolineAt point to no heap object
	ptrs = append(ptrs[1:], unsafe.Offsetof(FuncObject{}.self), unsafe.Offsetof(FuncObject{}.Function))
	ol.frame = l.FrameType(ptrs...)
	return ol
}

// Capture copies an object's captured variables into a frame.
func (c *Code) Capture(fp pointer, o *FuncObject, ol *ObjectLayout) {
	if ol.Words {
		for i, s := range c.Captures {
			*ref[pointer](fp, s.At) = *o.CaptureWord(i)
		}
		return
	}
	for i, s := range c.Captures {
		s.Type.Move(at(fp, s.At), ol.Captured(o, i))
	}
}

// ObjectLayout is the layout of the function's func objects, which capture variables of the given
// types.
func (t *Function) ObjectLayout(captured []*Type) *ObjectLayout {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Layout == nil {
		t.Layout = newObjectLayout(captured)
	}
	return t.Layout
}

// FuncValue is the word of the func value, of type ft, of a function that captures nothing.
func (t *Function) FuncValue(ft reflect.Type) pointer {
	ol, form := t.ObjectLayout(nil), t.Machine.FuncForm(ft)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.value == nil {
		t.value = ol.New(form, t)
	}
	return pointer(t.value)
}

// New makes a func object, without what it captures.
func (ol *ObjectLayout) New(form *FuncForm, t *Function) *FuncObject {
	o := (*FuncObject)(ol.frame.New())
	form.init(o, t)
	return o
}

// CaptureWord is where object o, whose layout is of words, has captured variable number i.
func (o *FuncObject) CaptureWord(i int) *pointer {
	return (*pointer)(at(pointer(o), funcObjectSize+uintptr(i)*8))
}

// Captured is where object o has captured variable number i.
func (ol *ObjectLayout) Captured(o *FuncObject, i int) pointer { return at(pointer(o), ol.at[i]) }

func (o *FuncObject) String() string { return fmt.Sprintf("func object of %p", o.Function) }
