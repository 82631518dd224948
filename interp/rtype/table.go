package rtype

import (
	"fmt"
	"go/types"
	"reflect"
	"sync"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
	"golang.org/x/tools/go/types/typeutil"
)

// A Table holds the runtime types of one session. It is safe for concurrent use.
type Table struct {
	methods MethodSource
	natives NativeTypes
	sizes   types.Sizes

	mu   sync.RWMutex
	done typeutil.Map        // types.Type -> reflect.Type, complete
	back map[Word]types.Type // what was made here (not reflect's, not compiled)
	// implicits are the type arguments of the generic function instances that local types belong to
	implicits map[*types.TypeName][]types.Type
	news      []types.Type                  // made since News was asked
	structs   map[string]reflect.Type       // structs made here, by structKey
	ifaces    map[string]reflect.Type       // interfaces made here, by ifaceKey
	locals    map[string]reflect.Type       // local types of generic functions, by their place and arguments
	harvest   map[*types.Package]bool       // packages whose exported declarations were walked
	families  map[Word]*family              // by the value's descriptor
	having    map[*types.TypeName][]*family // by the declared types that they have methods from, themselves or embedded
	journal   *Journal                      // nil: nothing is to be undone
}

// A MethodSource gives the code of the methods of types that a Table makes.
type MethodSource interface {
	// Method returns the code of m. args[0] is the receiver, a value of m.Recv, then come the
	// parameters (the variadic one as a slice); the results must have the signature's result types.
	// It is called when m is called first, by the goroutine that calls, which panics with the error
	// if there is one. It must not call Of while it holds a lock that a MethodSource call may wait
	// for.
	Method(m *Method) (code func(args []reflect.Value) (results []reflect.Value), err error)
}

// A FastMethodSource is a MethodSource that knows faster ways for some methods.
type FastMethodSource interface {
	MethodSource
	// WordMethod returns the word of a func value (funcs.go) with the signature func(recv
	// unsafe.Pointer, params...) results, nil if it has none for m. recv is the receiver itself if
	// Direct(WordOf(m.Recv)), else the address of a value of m.Recv that must not be written. It is
	// called while the type is made, so it must return at once, call no method of the Table, and
	// find the method's code later.
	WordMethod(m *Method) unsafe.Pointer
}

// A Method is one method of a type that a Table makes: declared or promoted.
type Method struct {
	Recv      reflect.Type     // the receiver's runtime type
	RecvType  types.Type       // the same for go/types: T, *T or a struct with embedded fields
	Selection *types.Selection // of the method in RecvType's method set
	Type      reflect.Type     // the method's func type, without receiver
}

// NativeTypes finds the types of the packages compiled into the binary.
type NativeTypes interface {
	// NativeType returns the type that a package declares at package level. name is exported or
	// not; for an instance of a generic type it is as in reflect.Type.Name: "Seq[string]".
	NativeType(path, name string) (reflect.Type, bool)
	// Compiled reports whether the package's functions are the binary's, so that its types must be
	// too. Where it is false (cells, packages executed from source), types that NativeType does not
	// know are made.
	Compiled(path string) bool
}

// NativeValues may be implemented by a NativeTypes as well. It is how unexported types of compiled
// packages are found: through the exported functions and variables that mention them
// (encoding/binary.littleEndian through LittleEndian).
type NativeValues interface {
	// NativeValue returns an exported function or the value of an exported variable.
	NativeValue(path, name string) (reflect.Value, bool)
}

// A TypeError says why a type has no runtime type.
type TypeError struct {
	Type   types.Type // the type asked for, or a part of it
	Reason string
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("no runtime type for %s: %s", e.Type, e.Reason)
}

// NewTable returns an empty table. natives may be nil when no compiled package is used; methods may
// be nil when no type with methods is. The error is a *gorelease.FactError: a fact that all cells
// rest on does not hold.
func NewTable(methods MethodSource, natives NativeTypes) (*Table, error) {
	if err := gorelease.Vital(); err != nil {
		return nil, err
	}
	return &Table{
		methods: methods, natives: natives, sizes: gcSizes(),
		back: map[Word]types.Type{}, families: map[Word]*family{}, having: map[*types.TypeName][]*family{},
		implicits: map[*types.TypeName][]types.Type{},
		structs:   map[string]reflect.Type{}, ifaces: map[string]reflect.Type{}, locals: map[string]reflect.Type{},
		harvest: map[*types.Package]bool{},
	}, nil
}

// Of returns the runtime type of t: the same for identical types, and the compiled one for types
// that the binary has. The error is a *TypeError or *StubError; then nothing was made.
func (t *Table) Of(x types.Type) (reflect.Type, error) {
	t.mu.RLock()
	r, _ := t.done.At(x).(reflect.Type)
	t.mu.RUnlock()
	if r != nil {
		return r, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.make(x)
}

// News are the types that the table has made runtime types of since it was asked last.
func (t *Table) News() []types.Type {
	t.mu.Lock()
	defer t.mu.Unlock()
	news := t.news
	t.news = nil
	return news
}

// Lookup returns the go/types type that w was made for: a type declared by cells (or a pointer to
// one that has methods), a struct with embedded fields, an interface with methods. It is false for
// compiled types and for what package reflect makes.
func (t *Table) Lookup(w Word) (types.Type, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	x, ok := t.back[w]
	return x, ok
}

// Local tells that the type obj was declared inside an instance of generic functions with these
// type arguments (outermost first), which compiled programs show in its name: main.T[int]. Types
// declared at the same place in instances with identical arguments are one, though go/ssa makes a
// type of each instance it builds. It must come before the first Of of the type.
func (t *Table) Local(obj *types.TypeName, args []types.Type) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.implicits[obj] = args
}
