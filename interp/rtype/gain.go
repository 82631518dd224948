package rtype

import (
	"fmt"
	"go/types"
	"slices"
	"sync/atomic"
	"unsafe"
)

// A type that has a descriptor gains methods in place, since values, interfaces and maps of it are alive: the descriptor has room for a
// second table of methods, which is filled and then put in the place of the first by its offset (abiUncommon.Moff). What the
// runtime has found out about the methods that the type did not have is corrected (missing.go).

// gainRoom is how many methods a type can gain.
const gainRoom = 16

// A GainError says why a type cannot have new methods and stay the type that it is.
type GainError struct {
	Type   types.Type
	Reason string
}

func (e *GainError) Error() string {
	return fmt.Sprintf("%s cannot have new methods: %s", types.TypeString(e.Type, types.RelativeTo(nil)), e.Reason)
}

// A Gain is the new method tables of all types that have methods, by go/types, which their descriptors lack.
type Gain struct {
	table   *Table
	changes []*change
}

// A change is the methods of one family, as they are to be.
type change struct {
	*family
	methods, ptrMethods methodList
}

// Gain makes the tables; nothing sees them before Apply. The error is a *GainError, *StubError, *TypeError or *LayoutError.
func (t *Table) Gain() (g *Gain, err error) {
	if itabTableAt() == nil {
		return nil, &LayoutError{"the runtime's table of itabs", "a variable that leads to it", "none"}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.builder()
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *GainError:
			g, err = nil, e
		default:
			g, err = nil, asError(types.Typ[types.Invalid], e)
		}
	}()
	g = &Gain{table: t}
	for _, f := range t.families {
		if c := b.change(f); c != nil {
			g.changes = append(g.changes, c)
		}
	}
	b.finish()
	words, names := g.gained()
	if slices.ContainsFunc(names, func(n string) bool { return gobAsks[n] }) && gobKnows(words) {
		return nil, &GainError{g.changes[0].of, "encoding/gob has encoded values without them, and does not forget"}
	}
	return g, nil
}

// change is nil if the family has all methods.
func (b *builder) change(f *family) *change {
	methods, ptrMethods := b.methodSet(f.of), b.methodSet(types.NewPointer(f.of))
	more := f.methods.grows(f.of, methods)
	if !f.ptrMethods.grows(f.of, ptrMethods) && !more {
		return nil
	}
	if len(ptrMethods) > len(f.pointer.methods) || len(methods) > len(f.value.methods) {
		panic(&GainError{f.of, fmt.Sprintf("it has gained %d since it was declared, and its descriptor has no room for more", gainRoom)})
	}
	c := &change{family: f}
	c.methods, c.ptrMethods = b.methodTables(f, methods, ptrMethods)
	return c
}

// grows tells whether set has more methods than the list, all of which it must have.
func (l methodList) grows(t types.Type, set []*types.Selection) bool {
	has := map[types.Object]bool{}
	for _, s := range set {
		has[s.Obj()] = true
	}
	for _, o := range l.objects {
		if !has[o] {
			panic(&GainError{t, "its method " + o.Name() + " would not be the one that it has now"})
		}
	}
	return len(set) > len(l.objects)
}

// Apply gives the types their new methods.
func (g *Gain) Apply() {
	if len(g.changes) == 0 {
		return
	}
	g.table.mu.Lock()
	defer g.table.mu.Unlock()
	gained, names := g.gained()
	for _, c := range g.changes {
		c.value.prepare(c.methods)
		c.pointer.prepare(c.ptrMethods)
	}
	// The runtime reads a count, then the offset, under a lock that this waits for: from here on, who reads has seen the new count.
	// Behind the old tables there are none or older ones.
	waitForItabs()
	for _, c := range g.changes {
		c.value.flip()
		c.pointer.flip()
		c.family.methods, c.family.ptrMethods = c.methods, c.ptrMethods
	}
	forgetMissing(gained, names)
}

// gained are the descriptors that change, and the names of their new methods.
func (g *Gain) gained() (words addressSet, names []string) {
	words = addressSet{}
	for _, c := range g.changes {
		words.add(c.value.abiType)
		words.add(c.pointer.abiType)
		names = append(names, c.newNames()...)
	}
	return words, names
}

func (c *change) newNames() (names []string) {
	for _, o := range c.ptrMethods.objects {
		if _, ok := c.family.ptrMethods.find(o); !ok {
			names = append(names, o.Name())
		}
	}
	return names
}

// prepare fills the spare table, and makes the counts what they are going to be.
func (d *descriptor) prepare(l methodList) {
	clear(d.spare)
	copy(d.spare, l.entries)
	counts := (*uint32)(unsafe.Pointer(&d.uncommon.Mcount))
	atomic.StoreUint32(counts, uint32(len(l.entries))|uint32(l.exported())<<16)
}

// flip puts the spare table in the place of the other.
func (d *descriptor) flip() {
	d.methods, d.spare = d.spare, d.methods
	at := uintptr(unsafe.Pointer(&d.methods[0])) - uintptr(unsafe.Pointer(d.uncommon))
	atomic.StoreUint32(&d.uncommon.Moff, uint32(at))
}

// waitForItabs returns when no itab is being made that was begun before.
func waitForItabs() {
	Itab(WordOf(errorType), unsafe.Pointer(newDescriptor(prototypes.structure, 0, false).withoutMethods()))
}

// withoutMethods makes a descriptor one with an empty table: the runtime has never seen it, and looks.
func (d descriptor) withoutMethods() *abiType {
	d.setName("")
	d.TFlag |= flagUncommon
	return d.abiType
}
