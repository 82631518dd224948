package rtype

import (
	"fmt"
	"go/types"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A type that has a descriptor gains methods in place, since values, interfaces and maps of it are
// alive: a second table of methods is filled and then put in the place of the first by its offset
// (abiUncommon.Moff), which tables and descriptors lie for (arena.go). What the runtime has found
// out about the methods that the type did not have is corrected (gorelease.ForgetMissing).

// maxMethods is how many a descriptor can count.
const maxMethods = 1<<16 - 1

// room is the length of a table for so many methods.
func room(methods int) int {
	n := 8
	for n < methods {
		n *= 2
	}
	return min(n, maxMethods)
}

// A GainError says why a type cannot have new methods and stay the type that it is.
type GainError struct {
	Type   types.Type
	Reason string
}

func (e *GainError) Error() string {
	return fmt.Sprintf("%s cannot have new methods: %s", types.TypeString(e.Type, types.RelativeTo(nil)), e.Reason)
}

// A Gain is the new method tables of types that have other methods, by go/types, than their
// descriptors.
type Gain struct {
	table   *Table
	changes []*change
}

// A change is the methods of one family, as they are to be.
type change struct {
	*family
	methods, ptrMethods methodList
}

// Gain makes the tables, of types that have their methods from some of the receivers; nothing sees
// them before Apply. The error is a *GainError, *StubError, *TypeError or *gorelease.FactError.
func (t *Table) Gain(receivers ...*types.TypeName) (g *Gain, err error) {
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
	seen := map[*family]bool{}
	for _, r := range receivers {
		for _, f := range t.having[r] {
			if seen[f] {
				continue
			}
			seen[f] = true
			if c := b.change(f); c != nil {
				g.changes = append(g.changes, c)
			}
		}
	}
	b.finish()
	words, names := g.gained()
	if err := gorelease.MayGain(names); err != nil && len(g.changes) > 0 {
		return nil, err
	}
	if gorelease.AskedByGob(names) && gorelease.GobKnows(words) {
		return nil, &GainError{g.changes[0].of, "encoding/gob has encoded values without them, and does not forget"}
	}
	return g, nil
}

// change is nil if the family has these methods already. What a type has promoted may be another
// method than before, or none, where one that is less deep, or as deep, has come.
func (b *builder) change(f *family) *change {
	methods, ptrMethods := b.methodSet(f.of), b.methodSet(types.NewPointer(f.of))
	if f.methods.of(methods) && f.ptrMethods.of(ptrMethods) {
		return nil
	}
	if len(ptrMethods) > maxMethods {
		panic(&GainError{f.of, fmt.Sprintf("a type has at most %d", maxMethods)})
	}
	c := &change{family: f}
	c.methods, c.ptrMethods = b.methodTables(f, methods, ptrMethods)
	if f.value.numbered(f.methods, c.methods) || f.pointer.numbered(f.ptrMethods, c.ptrMethods) {
		panic(&GainError{f.of, "package reflect has given out its methods (Value.Method, Value.MethodByName), and knows " +
			"them by numbers that would change"})
	}
	return c
}

// givenOut are the types of which package reflect has given out methods as values.
var givenOut sync.Map // Word -> struct{}

// ValueMethod is reflect.Value.Method for cells, and ValueMethodByName reflect.Value.MethodByName.
// What they return may be kept, and knows the method by its number among those of the type.
func ValueMethod(v reflect.Value, i int) reflect.Value {
	m := v.Method(i)
	givenOut.Store(WordOf(v.Type()), struct{}{})
	return m
}

// ValueMethodByName is for reflect.Value.MethodByName what ValueMethod is for Method.
func ValueMethodByName(v reflect.Value, name string) reflect.Value {
	m := v.MethodByName(name)
	if m.IsValid() {
		givenOut.Store(WordOf(v.Type()), struct{}{})
	}
	return m
}

// numbered reports whether methods that were given out would have another number.
func (d descriptor) numbered(before, after methodList) bool {
	if _, ok := givenOut.Load(unsafe.Pointer(d.Type)); !ok {
		return false
	}
	n := before.exported()
	return !slices.Equal(before.objects[:n], after.objects[:n])
}

// of reports whether the list has the methods of a set, and no other.
func (l methodList) of(set []*types.Selection) bool {
	return slices.EqualFunc(l.objects, set, func(o types.Object, s *types.Selection) bool { return o == s.Obj() })
}

// Apply gives the types their new methods. It returns those of which a method that they had is
// another one now, or is not there.
func (g *Gain) Apply() (altered []Word) {
	if len(g.changes) == 0 {
		return nil
	}
	g.table.mu.Lock()
	defer g.table.mu.Unlock()
	gained, names := g.gained()
	for _, c := range g.changes {
		if c.methods.alters(c.family.methods) || c.ptrMethods.alters(c.family.ptrMethods) {
			altered = append(altered, Word(c.value.Type), Word(c.pointer.Type))
		}
		c.value.change(c.methods)
		c.pointer.change(c.ptrMethods)
		c.family.methods, c.family.ptrMethods = c.methods, c.ptrMethods
	}
	gorelease.ForgetMissing(gained, names)
	return altered
}

// gained are the descriptors that change, and the names of the methods in which they do.
func (g *Gain) gained() (words gorelease.TypeSet, names []string) {
	words = gorelease.TypeSet{}
	for _, c := range g.changes {
		words.Add(c.value.Type)
		words.Add(c.pointer.Type)
		names = append(names, c.ptrMethods.lacking(c.family.ptrMethods)...)
		names = append(names, c.family.ptrMethods.lacking(c.ptrMethods)...)
	}
	return words, names
}

// lacking are the names of the list's methods that another does not have.
func (l methodList) lacking(other methodList) (names []string) {
	for _, o := range l.objects {
		if _, ok := other.find(o); !ok {
			names = append(names, o.Name())
		}
	}
	return names
}

// alters reports whether a method of before is not in the list.
func (l methodList) alters(before methodList) bool { return len(before.lacking(l)) > 0 }

// fill writes a table of a descriptor that may gain methods. Behind its methods it has entries of
// no method, so that tables have the same length as long as there is room: who reads the length and
// then the offset of the table, as the runtime and package reflect do, has a whole one, whichever
// it is.
//
//go:norace
func fill(table []abiMethod, l methodList) {
	none := abiMethod{Name: noMethod()}
	for i := range table { // copy would tell the race detector, whatever the pragma says
		if table[i] = none; i < len(l.entries) {
			table[i] = l.entries[i]
		}
	}
}

var written atomic.Int64

// noMethod is a name that no method has and that is after all names that one can have.
var noMethod = sync.OnceValue(func() int32 { return nameOffset("\U0010ffff", false, "") })

// change puts a table with these methods in the place of the other. Package reflect reads the count
// of exported methods and then the offset, without a lock (the race detector is not told of these
// stores of one word each): who asks it for exported methods by name or number in the nanoseconds
// between the two may miss one. The runtime's own look-ups and reflect.Type.Implements read a
// length that stays the same, or changes alone.
//
//go:norace
func (d *descriptor) change(l methodList) {
	for len(d.methods) < len(l.entries) {
		d.lengthen()
	}
	if d.spare == nil {
		d.spare = newMethods(len(d.methods), true)
	}
	fill(d.spare, l)
	d.methods, d.spare = d.spare, d.methods
	written.Add(1) // what was written so far is, before the table can be found
	d.uncommon.Xcount = uint16(l.exported())
	d.uncommon.Moff = d.offset(d.methods)
}

// lengthen makes a table twice as long the one in use, with the same methods. Its length is told
// first: behind the old one are as many entries of no method. When the offset follows, the world
// has stopped between the two, and nobody has read one and not yet the other.
//
//go:norace
func (d *descriptor) lengthen() {
	next := newMethods(min(2*len(d.methods), maxMethods), true)
	fill(next, methodList{entries: d.methods})
	written.Add(1)
	d.uncommon.Mcount = uint16(len(next))
	var m runtime.MemStats
	runtime.ReadMemStats(&m) // stops the world
	d.methods, d.spare = next, nil
	d.uncommon.Moff = d.offset(next)
}
