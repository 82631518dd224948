package vm

import (
	"reflect"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

// reflectMethod is what a method value of package reflect points to: reflect.methodValue.
type reflectMethod struct {
	code            uintptr
	stack           pointer
	argLen, regPtrs uintptr
	method          int
	receiver        reflectValue
}

// reflectMade is what a func of reflect.MakeFunc points to: reflect.makeFuncImpl.
type reflectMade struct {
	code            uintptr
	stack           pointer
	argLen, regPtrs uintptr
	typ             rtype.Word
	made            pointer
}

// madeCode is the code that all of them share.
var madeCode = rtype.CodeAddress(rtype.MakeFunc(reflect.TypeFor[func()](), nil))

var madeOf = reflect.TypeFor[func([]reflect.Value) []reflect.Value]()

// methodValueCode is the code that all method values of package reflect share.
var methodValueCode = rtype.CodeAddress(rtype.FuncWord(reflect.ValueOf(reflect.ValueOf(probe{}).Method(0).Interface())))

// probe has a method for methodValueCode and checkReflectMethod.
type probe struct{ lo, hi int }

func (b probe) Width() int { return b.hi - b.lo }

var _ = checkReflectMethod()

func checkReflectMethod() struct{} {
	m := (*reflectMethod)(rtype.FuncWord(reflect.ValueOf(reflect.ValueOf(&probe{1, 3}).Method(0).Interface())))
	if m.code != methodValueCode || m.method != 0 || rtype.TypeOf(m.receiver.typ) != reflect.TypeFor[*probe]() {
		panic("vm: reflect.methodValue is not what this engine knows")
	}
	return struct{}{}
}

// passes tells whether the compiled func f does nothing but call one of cell code, which may then recover where f might: what
// reflect.Value.Method and reflect.Type.Method give for cells' types, and reflect.MakeFunc for cells' funcs.
func passes(v *vm, f reflect.Value) bool {
	p := rtype.FuncWord(f)
	if p == nil {
		return false
	}
	code := rtype.CodeAddress(p)
	if rtype.IsStub(code) {
		return true
	}
	switch code {
	case methodValueCode:
		_, ours := v.Table.Lookup((*reflectMethod)(p).receiver.typ)
		return ours
	case madeCode:
		return v.form(madeOf).own((*reflectMade)(p).made) != nil
	}
	return false
}

// reflectValue is reflect.Value, of which only the first two words matter here.
type reflectValue struct {
	typ  rtype.Word
	ptr  pointer
	flag uintptr
}

// flagIndirect is set in flag where ptr points to the value.
const flagIndirect = 1 << 7

func (v *reflectValue) word() pointer {
	if v.flag&flagIndirect != 0 {
		return *(*pointer)(v.ptr)
	}
	return v.ptr
}

// funcWord reads the word of a func value, however it was reached.
func funcWord(v reflect.Value) pointer {
	if v.CanInterface() {
		return rtype.FuncWord(v)
	}
	return (*reflectValue)(pointer(&v)).word()
}
