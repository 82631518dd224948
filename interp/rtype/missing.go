package rtype

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// The runtime remembers which types do not implement which interfaces. When a type gains methods, three memories have to be corrected:
// the table of itabs, in which a pair without methods has code 0; the cache of each type assertion and type switch of compiled code that looked for
// an interface; and encoding/json's, which decides once how a type is written. They are found in the data of the binary (module.go).

// An addressSet holds descriptors by their addresses: what it is asked for need not be one.
type addressSet map[uintptr]bool

func (s addressSet) add(t *abiType) { s[uintptr(unsafe.Pointer(t))] = true }

// forgetMissing corrects them for types that gained methods of these names.
func forgetMissing(gained addressSet, names []string) {
	corrected := addressSet{}
	eachItab(func(m *abiItab) {
		if gained[uintptr(unsafe.Pointer(m.Type))] && fillItab(m) == missing {
			corrected.add(m.Inter)
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
	entries     [1]*abiItab
}

var errorType = reflect.TypeFor[error]()

// itabTableAt is where the runtime keeps the pointer to its table: the word of the binary's data that leads to a table with an
// itab that must be in it, at the place where its hash puts it.
var itabTableAt = sync.OnceValue(func() *unsafe.Pointer {
	known := (*abiItab)(Itab(WordOf(errorType), WordOf(reflect.TypeFor[*LayoutError]())))
	var at *unsafe.Pointer
	eachWord(theModule.Data, theModule.EData, func(a uintptr) bool {
		if p := load(a); mayBeData(p) && isItabTable(p, known) {
			at = (*unsafe.Pointer)(address(a))
		}
		return at == nil
	})
	return at
})

// isItabTable looks known up in what may be a table at p.
func isItabTable(p uintptr, known *abiItab) bool {
	size, ok := read(p)
	if count, got := read(p + wordSize); !ok || !got || size < 512 || size > 1<<24 || size&(size-1) != 0 || count == 0 || count > size {
		return false
	}
	at := uintptr(known.Inter.Hash ^ known.Type.Hash)
	for i := uintptr(1); i <= size; i++ {
		at &= size - 1
		m, ok := read(p + (2+at)*wordSize)
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
func eachItab(f func(*abiItab)) {
	t := (*itabTable)(atomic.LoadPointer(itabTableAt()))
	for i := range t.size {
		m := (*abiItab)(atomic.LoadPointer((*unsafe.Pointer)(unsafe.Add(unsafe.Pointer(&t.entries), i*wordSize))))
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
func fillItab(m *abiItab) itabState {
	iface := (*abiIface)(unsafe.Pointer(m.Inter))
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
func codeOf(t *abiType, iface *abiIface, want abiImethod) unsafe.Pointer {
	u := (*abiUncommon)(unsafe.Add(unsafe.Pointer(t), head(reflect.Kind(t.Kind)).Size()))
	name := methodOf(unsafe.Pointer(iface), want.Name, iface.PkgPath)
	mtyp := gorelease.ResolveTypeOff(unsafe.Pointer(iface), want.Typ)
	pkg := (*byte)(gorelease.ResolveNameOff(unsafe.Pointer(t), u.PkgPath))
	for _, m := range tail[abiMethod](unsafe.Pointer(u), uintptr(u.Moff), int(u.Mcount)) {
		if gorelease.ResolveTypeOff(unsafe.Pointer(t), m.Mtyp) == mtyp && methodOf(unsafe.Pointer(t), m.Name, pkg) == name {
			return gorelease.ResolveTextOff(unsafe.Pointer(t), m.Ifn)
		}
	}
	return nil
}

// A methodID is a name and, if it is not exported, the path of its package.
type methodID struct{ name, pkg string }

// methodOf decodes a method's name in the descriptor at base; pkg is the package of names that do not have one.
func methodOf(base unsafe.Pointer, off int32, pkg *byte) methodID {
	p := (*byte)(gorelease.ResolveNameOff(base, off))
	id := methodID{name: nameOf(p)}
	if *p&flagNameExported != 0 {
		return id
	}
	if own := packageOf(base, p); own != nil {
		pkg = own
	}
	if pkg != nil {
		id.pkg = nameOf(pkg)
	}
	return id
}

// emptyCache stands for one that knows nothing: a mask of 0 and an entry without type.
var emptyCache [4]uintptr

// emptyAssertionCaches takes away the cache of each type assertion to one of the interfaces, and of each type switch with a case of
// one, that knows of one of the types.
func emptyAssertionCaches(ifaces, gained addressSet) {
	eachWord(theModule.Data, theModule.EData, func(a uintptr) bool {
		if !ifaces[load(a)] {
			return true
		}
		emptyCacheAt(a-wordSize, 2, gained) // abi.TypeAssert{Cache, Inter}, entries {Typ, Itab}
		for k := range uintptr(maxCases) {
			count := a - (k+1)*wordSize // abi.InterfaceSwitch{Cache, NCases, Cases}, entries {Typ, Case, Itab}
			if count-wordSize < theModule.Data {
				break
			}
			n := load(count)
			if n > k && n <= maxCases {
				emptyCacheAt(count-wordSize, 3, gained)
			}
			if n < theModule.Types || n >= theModule.ETypes {
				break // not a case before this one
			}
		}
		return true
	})
}

// maxCases is how many cases a type switch may have for its cache to be found.
const maxCases = 4096

// emptyCacheAt replaces the cache that the word at a may lead to, if one of the types is in it.
func emptyCacheAt(a, words uintptr, gained addressSet) {
	if a < theModule.Data || a >= theModule.EData {
		return
	}
	p := load(a)
	mask, ok := read(p)
	if !mayBeData(p) || !ok || mask&(mask+1) != 0 || mask > 1<<20 {
		return
	}
	for i := range mask + 1 {
		typ, ok := read(p + (1+i*words)*wordSize)
		if !ok {
			return
		}
		if gained[typ] {
			atomic.StorePointer((*unsafe.Pointer)(address(a)), unsafe.Pointer(&emptyCache))
			return
		}
	}
}

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
		m.Range(func(key, value any) bool {
			of := reflect.TypeOf(value)
			if of.Kind() == reflect.Pointer {
				of = of.Elem()
			}
			if _, ok := key.(reflect.Type); ok && strings.HasPrefix(of.PkgPath(), "encoding/json") {
				m.Clear()
			}
			return false
		})
	})
}

// gobKnows reports whether encoding/gob has decided how one of the types is encoded, which it does not forget.
func gobKnows(ts addressSet) (knows bool) {
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

// eachSyncMap calls f for the package-level variables of type sync.Map that are in use.
func eachSyncMap(f func(*sync.Map)) {
	var known sync.Map
	known.Store(0, 0)
	hash, equal := load(uintptr(unsafe.Pointer(&known))+syncMapHash), load(uintptr(unsafe.Pointer(&known))+syncMapHash+wordSize)
	look := func(from, to uintptr) {
		eachWord(from, to-wordSize, func(a uintptr) bool {
			if load(a) == hash && load(a+wordSize) == equal {
				f((*sync.Map)(address(a - syncMapHash)))
			}
			return true
		})
	}
	look(theModule.Data, theModule.EData)
	look(theModule.BSS, theModule.EBSS)
}

// syncMapHash is where a sync.Map keeps its hash function, with the function that compares values behind it.
var syncMapHash = func() uintptr {
	m, _ := reflect.TypeFor[sync.Map]().FieldByName("m")
	h, _ := m.Type.FieldByName("keyHash")
	return m.Offset + h.Offset
}()
