package gorelease

import (
	"cmp"
	"encoding/gob"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"
)

// The runtime remembers which types do not implement which interfaces. When a type gains methods,
// its memories have to be corrected: the table of itabs, in which a pair without methods has code
// 0; the cache of each type assertion and type switch of compiled code that looked for an
// interface; and encoding/json's, which decides once how a type is written. They are found in the
// data of the binary (memory.go).

// Itabs, AssertCaches, JSONCaches and GobTypes are the facts that methods rest on which a type
// gains after it was used.
var (
	Itabs = &Fact{
		Name:    "runtime.itabTable",
		Why:     "a type that gains a method implements interfaces that it was asked for before",
		Without: withoutGains,
		check: func() error {
			if !Modules.Holds() || itabTableAt() == nil {
				return errors.New("no variable leads to a table of itabs")
			}
			return nil
		},
	}
	AssertCaches = &Fact{
		Name:    "internal/abi.TypeAssert",
		Why:     "a type that gains a method passes type assertions and switches that it failed before",
		Without: withoutGains,
		check:   checkAssertCaches,
	}
	JSONCaches = &Fact{
		Name:    "encoding/json.fieldCache",
		Why:     "a type that gains MarshalJSON is written by it though it was written before",
		Without: "methods that encoding/json asks for, of types that were declared by earlier cells",
		check:   checkJSONCaches,
	}
	GobTypes = &Fact{
		Name:    "encoding/gob.userTypeInfo",
		Why:     "a type that gob has encoded is not given methods by which it would be encoded",
		Without: "methods that encoding/gob asks for, of types that were declared by earlier cells",
		check:   checkGobTypes,
	}
)

const withoutGains = "methods declared in a later cell than their type, once the type was used"

// MayGain is nil where types may gain methods of these names; else it says which fact forbids it.
func MayGain(names []string) error {
	err := cmp.Or(Itabs.Err(), AssertCaches.Err())
	if slices.ContainsFunc(names, func(n string) bool { return jsonAsks[n] }) {
		err = cmp.Or(err, JSONCaches.Err())
	}
	if AskedByGob(names) {
		err = cmp.Or(err, GobTypes.Err())
	}
	return err
}

// AskedByGob reports whether encoding/gob decides by one of the methods.
func AskedByGob(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return gobAsks[n] })
}

// A TypeSet holds descriptors by their addresses: what it is asked for need not be one.
type TypeSet map[uintptr]bool

// Add adds a type.
func (s TypeSet) Add(t *Type) { s[uintptr(unsafe.Pointer(t))] = true }

// ForgetMissing corrects what the runtime remembers of types that gained methods of these names.
func ForgetMissing(gained TypeSet, names []string) {
	corrected := TypeSet{}
	eachItab(func(m *ITab) {
		if gained[uintptr(unsafe.Pointer(m.Type))] && fillItab(m) == missing {
			corrected.Add(m.Inter)
		}
	})
	if len(corrected) > 0 {
		emptyAssertionCaches(corrected, gained)
	}
	if slices.ContainsFunc(names, func(n string) bool { return jsonAsks[n] }) {
		forgetJSON()
	}
}

// itabTable is runtime.itabTableType, allocated outside of the heap or as one object.
type itabTable struct {
	size, count uintptr
	entries     [1]*ITab
}

var errorType = reflect.TypeFor[error]()

// itabTableAt is where the runtime keeps the pointer to its table: the word of the binary's data
// that leads to a table with an itab that must be in it, at the place where its hash puts it.
var itabTableAt = sync.OnceValue(func() *unsafe.Pointer {
	known := (*ITab)(Getitab(WordOf(errorType), WordOf(reflect.TypeFor[*FactError]()), true))
	var at *unsafe.Pointer
	eachWord(Program.Data, Program.EData, func(a uintptr) bool {
		if p := load(a); mayBeData(p) && isItabTable(p, known) {
			at = (*unsafe.Pointer)(address(a))
		}
		return at == nil
	})
	return at
})

// isItabTable looks known up in what may be a table at p.
func isItabTable(p uintptr, known *ITab) bool {
	size, ok := read(p)
	count, got := read(p + WordSize)
	if !ok || !got || size < 512 || size > 1<<24 || size&(size-1) != 0 || count == 0 || count > size {
		return false
	}
	at := uintptr(known.Inter.Hash ^ known.Type.Hash)
	for i := uintptr(1); i <= size; i++ {
		at &= size - 1
		m, ok := read(p + (2+at)*WordSize)
		if !ok || m == 0 {
			return false
		}
		if m == uintptr(unsafe.Pointer(known)) {
			return true
		}
		at += i
	}
	return false
}

// eachItab calls f for all pairs of an interface and a type that the runtime has met.
func eachItab(f func(*ITab)) {
	t := (*itabTable)(atomic.LoadPointer(itabTableAt()))
	for i := range t.size {
		m := (*ITab)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(&t.entries), i*WordSize))))
		if m != nil {
			f(m)
		}
	}
}

// What an itab was before it was filled.
type itabState int

const (
	incomplete itabState = iota // it is not filled: the type does not have all methods
	missing                     // it said that the type does not have them
	complete
)

// fill does what runtime.itabInit did when the type had other methods. The code of the first is
// written last: while it is 0 the others are not looked at. An interface whose methods the type
// does not have any more keeps those that it had, for the values that it holds.
func fillItab(m *ITab) itabState {
	iface := (*Interface)(unsafe.Pointer(m.Inter))
	code := make([]uintptr, len(iface.Methods))
	for i, want := range iface.Methods {
		fn := codeOf(m.Type, iface, want)
		if fn == nil {
			return incomplete
		}
		code[i] = uintptr(fn)
	}
	slots := unsafe.Slice(&m.Fun[0], len(code))
	for i := len(code) - 1; i > 0; i-- {
		atomic.StoreUintptr(&slots[i], code[i])
	}
	if atomic.SwapUintptr(&slots[0], code[0]) == 0 {
		return missing
	}
	return complete
}

// codeOf is the code of a type's method that an interface asks for, nil if it has none.
func codeOf(t *Type, iface *Interface, want IMethod) unsafe.Pointer {
	u := t.Uncommon()
	name := methodOf(unsafe.Pointer(iface), want.Name, iface.PkgPath)
	mtyp := ResolveTypeOff(unsafe.Pointer(iface), want.Typ)
	pkg := (*byte)(ResolveNameOff(unsafe.Pointer(t), u.PkgPath))
	for _, m := range u.Methods() {
		if ResolveTypeOff(unsafe.Pointer(t), m.Mtyp) == mtyp && methodOf(unsafe.Pointer(t), m.Name, pkg) == name {
			return ResolveTextOff(unsafe.Pointer(t), m.Ifn)
		}
	}
	return nil
}

// A methodID is a name and, if it is not exported, the path of its package.
type methodID struct{ name, pkg string }

// methodOf decodes a method's name in the descriptor at base; pkg is the package of names that do
// not have one.
func methodOf(base unsafe.Pointer, off int32, pkg *byte) methodID {
	p := (*byte)(ResolveNameOff(base, off))
	id := methodID{name: NameOf(p)}
	if Exported(p) {
		return id
	}
	if own := PackageOf(base, p); own != nil {
		pkg = own
	}
	if pkg != nil {
		id.pkg = NameOf(pkg)
	}
	return id
}

// emptyCache stands for one that knows nothing: a mask of 0 and an entry without type.
var emptyCache [4]uintptr

// emptyAssertionCaches takes away the cache of each type assertion to one of the interfaces, and of
// each type switch with a case of one, that knows of one of the types. It returns how many did.
func emptyAssertionCaches(ifaces, gained TypeSet) (emptied int) {
	empty := func(a, words uintptr) {
		if emptyCacheAt(a, words, gained) {
			emptied++
		}
	}
	eachWord(Program.Data, Program.EData, func(a uintptr) bool {
		if !ifaces[load(a)] {
			return true
		}
		empty(a-WordSize, 2) // abi.TypeAssert{Cache, Inter}, entries {Typ, Itab}
		for k := range uintptr(maxCases) {
			count := a - (k+1)*WordSize // abi.InterfaceSwitch{Cache, NCases, Cases}, entries {Typ, Case, Itab}
			if count-WordSize < Program.Data {
				break
			}
			n := load(count)
			if n > k && n <= maxCases {
				empty(count-WordSize, 3)
			}
			if n < Program.Types || n >= Program.ETypes {
				break // not a case before this one
			}
		}
		return true
	})
	return emptied
}

// maxCases is how many cases a type switch may have for its cache to be found.
const maxCases = 4096

// emptyCacheAt replaces the cache that the word at a may lead to, if one of the types is in it.
func emptyCacheAt(a, words uintptr, gained TypeSet) bool {
	if a < Program.Data || a >= Program.EData {
		return false
	}
	p := load(a)
	mask, ok := read(p)
	if !mayBeData(p) || !ok || mask&(mask+1) != 0 || mask > 1<<20 {
		return false
	}
	for i := range mask + 1 {
		typ, ok := read(p + (1+i*words)*WordSize)
		if !ok {
			return false
		}
		if gained[typ] {
			atomic.StorePointer((*unsafe.Pointer)(address(a)), unsafe.Pointer(&emptyCache))
			return true
		}
	}
	return false
}

// checkAssertCaches asserts often enough for the runtime, which notes one of about a thousand, and
// looks for what it noted.
func checkAssertCaches() error {
	if !Modules.Holds() {
		return Modules.Err()
	}
	iface, types := TypeSet{}, TypeSet{}
	iface.Add((*Type)(compiledWord(reflect.TypeFor[widthless]())))
	types.Add((*Type)(compiledWord(reflect.TypeFor[probe]())))
	for range 1 << 14 {
		if _, ok := anyProbe.(widthless); ok {
			return errors.New("a type has a method that it does not have")
		}
	}
	if emptyAssertionCaches(iface, types) == 0 {
		return errors.New("no cache of a type assertion is found")
	}
	return nil
}

// widthless is an interface that a probe does not have.
type widthless interface{ Widthless() }

var anyProbe any = probe{}

// jsonAsks and gobAsks are the methods by which encoding/json and encoding/gob decide.
var (
	jsonAsks = map[string]bool{
		"MarshalJSON": true, "MarshalText": true, "IsZero": true, // and of version 2, which Go 1.27 has inside:
		"MarshalJSONTo": true, "UnmarshalJSONFrom": true, "UnmarshalJSON": true, "UnmarshalText": true, "AppendText": true,
	}
	gobAsks = map[string]bool{"GobEncode": true, "GobDecode": true, "MarshalBinary": true, "UnmarshalBinary": true}
)

// forgetJSON empties the caches of encoding/json, which it fills anew.
func forgetJSON() {
	eachSyncMap(func(m *sync.Map) {
		if isJSON(m) {
			m.Clear()
		}
	})
}

// isJSON reports whether the first entry of a map is one of encoding/json's: of a type.
func isJSON(m *sync.Map) (is bool) {
	m.Range(func(key, value any) bool {
		of := reflect.TypeOf(value)
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		_, typed := key.(reflect.Type)
		is = typed && strings.HasPrefix(of.PkgPath(), "encoding/json")
		return false
	})
	return is
}

func checkJSONCaches() error {
	if err := cmp.Or(Modules.Err(), SyncMaps.Err()); err != nil {
		return err
	}
	if _, err := json.Marshal(gobbed{}); err != nil {
		return err
	}
	found := false
	eachSyncMap(func(m *sync.Map) { found = found || isJSON(m) })
	if !found {
		return errors.New("no variable is a cache of encoding/json")
	}
	return nil
}

// GobKnows reports whether encoding/gob has decided how one of the types is encoded, which it does
// not forget.
func GobKnows(ts TypeSet) (knows bool) {
	eachSyncMap(func(m *sync.Map) {
		m.Range(func(key, value any) bool {
			t, ok := key.(reflect.Type)
			if !ok || reflect.TypeOf(value).String() != "*gob.userTypeInfo" {
				return false
			}
			knows = knows || ts[uintptr(WordOf(t))]
			return !knows
		})
	})
	return knows
}

// gobbed is what checkJSONCaches and checkGobTypes encode.
type gobbed struct{ N int }

func checkGobTypes() error {
	if err := cmp.Or(Modules.Err(), SyncMaps.Err()); err != nil {
		return err
	}
	if err := gob.NewEncoder(io.Discard).Encode(gobbed{1}); err != nil {
		return err
	}
	types := TypeSet{}
	types.Add((*Type)(compiledWord(reflect.TypeFor[gobbed]())))
	if !GobKnows(types) {
		return errors.New("no variable knows the types that were encoded")
	}
	return nil
}

// eachSyncMap calls f for the package-level variables of type sync.Map that are in use.
func eachSyncMap(f func(*sync.Map)) {
	if !SyncMaps.Holds() {
		return
	}
	at := syncMapHash()
	hash, equal := hashOf(&sync.Map{}, at)
	look := func(from, to uintptr) {
		eachWord(from, to-WordSize, func(a uintptr) bool {
			if load(a) == hash && load(a+WordSize) == equal {
				f((*sync.Map)(address(a - at)))
			}
			return true
		})
	}
	look(Program.Data, Program.EData)
	look(Program.BSS, Program.EBSS)
}

// SyncMaps is the fact that the caches of encoding/json and encoding/gob are found by.
var SyncMaps = &Fact{
	Name:    "sync.Map",
	Why:     "variables of this type are found in the binary's data by the functions that they hash with",
	Without: "what encoding/json and encoding/gob remember of types that gain methods is found",
	check: func() error {
		at := syncMapHash()
		h, e := hashOf(&sync.Map{}, at)
		if g, f := hashOf(&sync.Map{}, at); at == 0 || h != g || e != f || h == 0 || e == 0 {
			return errors.New("it has no functions that hash and compare")
		}
		return nil
	},
}

// hashOf are the words of the functions by which a map, which is used, hashes and compares.
func hashOf(m *sync.Map, at uintptr) (hash, equal uintptr) {
	m.Store(0, 0)
	p := uintptr(unsafe.Pointer(m)) + at
	return load(p), load(p + WordSize)
}

// syncMapHash is where a sync.Map keeps its hash function, with the function that compares values
// behind it; 0: it is not known.
func syncMapHash() uintptr {
	m, ok := reflect.TypeFor[sync.Map]().FieldByName("m")
	if !ok || m.Type.Kind() != reflect.Struct {
		return 0
	}
	h, ok := m.Type.FieldByName("keyHash")
	if !ok || h.Type.Kind() != reflect.Func {
		return 0
	}
	return m.Offset + h.Offset
}
