package vm

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Loads and stores (sections 9.7.9.8 to 9.7.9.11). Registers may be wider than
// the type: a load extends by the type's sign, a store takes the low bits.

// loader reads element k of an access into a slot of the element's width.
var loaders = map[int]func(a *access, k int, d slot) step{
	1: loadStep[uint8], 2: loadStep[uint16], 4: loadStep[uint32], 8: loadStep[uint64], 16: loadStep[[2]uint64],
}

func loadStep[T any](a *access, k int, d slot) step {
	return func(b *block) {
		o := out[T](b, d)
		loadLanes(b, a, a.addresses(b), k, o)
		put(b, d, o)
	}
}

var storers = map[int]func(a *access, k int, v slot) step{
	1: storeStep[uint8], 2: storeStep[uint16], 4: storeStep[uint32], 8: storeStep[uint64], 16: storeStep[[2]uint64],
}

func storeStep[T comparable](a *access, k int, v slot) step {
	return func(b *block) {
		addrs, vals := a.addresses(b), in[T](b, v, 2)
		same := b.polls > manyPolls && storesSame(b, a, addrs, k, vals)
		storeLanes(b, a, addrs, k, vals)
		if !same && !a.staysLocal(b) {
			b.progress()
		}
	}
}

// manyPolls is how often a block reads as a spinning loop does before its stores are
// looked at: one that changes nothing is no progress.
const manyPolls = 256

// storesSame reports whether the stores write what memory holds already.
func storesSame[T comparable](b *block, a *access, addrs []uint64, k int, vals []T) bool {
	seg := &b.sites[a.site]
	elem := uint64(k) * uint64(unsafe.Sizeof(vals[0]))
	for i, addr := range addrs {
		off := addr + a.offset - seg.base
		if seg.single || seg.size < a.size || off > seg.size-a.size || off&(a.size-1) != 0 {
			return false
		}
		if *(*T)(unsafe.Add(seg.mem, off+elem)) != vals[i] {
			return false
		}
	}
	return true
}

// staysLocal holds where all lanes stored to their local memory, for which no
// other lane can wait.
func (a *access) staysLocal(b *block) bool {
	if a.space != ptx.Generic || !b.sites[a.site].single {
		return a.space == ptx.Local
	}
	for _, addr := range a.addresses(b) {
		if space, _ := genericSpace(addr + a.offset); space != ptx.Local {
			return false
		}
	}
	return true
}

// vectorLength is 1, or what .v2, .v4 or .v8 say.
func (c *compiler) vectorLength() int {
	for _, m := range c.in.Mods {
		switch m {
		case "v2", "v4", "v8":
			return int(m[1] - '0')
		}
	}
	return 1
}

// elements gives the operands of a vector, or the operand itself.
func (c *compiler) elements(o *ptx.Operand, n int) ([]ptx.Operand, error) {
	if o.Kind != ptx.OpVector {
		if n > 1 {
			return nil, c.wrong("a vector access needs its registers in braces")
		}
		return []ptx.Operand{*o}, nil
	}
	if len(o.Elems) != n {
		return nil, c.wrong("the number of registers does not fit the vector")
	}
	return o.Elems, nil
}

func buildLoad(c *compiler) error {
	t, n := c.lastType(), c.vectorLength()
	elems, err := c.elements(&c.in.Operands[0], n)
	if err != nil {
		return err
	}
	a, err := c.access(1, t.Size()*n, false)
	if err != nil {
		return err
	}
	a.elem = t.Size()
	if a.param && a.addrIsConst(c) && !c.general() {
		return c.loadParams(a, elems, t)
	}
	a.update = c.code.options.Uninitialized && a.space != ptx.Param && c.graph.updatesBits(c.index)
	if a.strong {
		c.emit(func(b *block) { b.polls++ })
		c.ordered(a)
	}
	c.observe(a, nil)
	c.carryLoad(a, elems)
	if a.known = a.watched && (a.narrow || n == 1); n > 1 && !a.known {
		c.keepAddress(a)
	}
	for k := range elems {
		d, err := c.target(&elems[k], t)
		if err != nil {
			return err
		}
		c.emit(loaders[t.Size()](a, k, d))
	}
	if c.in.Has("acquire") {
		return buildFence(c)
	}
	return nil
}

// ordered notes an instruction whose result may depend on the order of blocks.
func (c *compiler) ordered(a *access) {
	if a.space == ptx.Global || a.space == ptx.Generic {
		c.code.ordered = true
	}
}

func (a *access) addrIsConst(c *compiler) bool { return c.code.slots[a.addr].kind == slotConst }

// keepAddress copies the addresses, as one of the registers loaded may be theirs.
func (c *compiler) keepAddress(a *access) {
	w := c.width(a.addr)
	t := c.temp(w)
	c.emit(copyLanes(w)(t, a.addr))
	a.addr = t
}

// loadParams reads the kernel's parameter block, the same for all lanes.
func (c *compiler) loadParams(a *access, elems []ptx.Operand, t ptx.Type) error {
	at := int(c.code.slots[a.addr].value[0] + a.offset)
	if at < 0 || at+int(a.size) > c.entry.ParamBytes {
		return c.wrong("the load reaches past the kernel's parameters")
	}
	for k := range elems {
		d, err := c.target(&elems[k], t)
		if err != nil {
			return err
		}
		c.emit(paramLoaders[t.Size()](d, at+k*t.Size()))
	}
	return nil
}

var paramLoaders = map[int]func(d slot, at int) step{
	1: paramStep[uint8], 2: paramStep[uint16], 4: paramStep[uint32], 8: paramStep[uint64], 16: paramStep[[2]uint64],
}

func paramStep[T any](d slot, at int) step {
	return func(b *block) { setAll(b, d, *(*T)(b.param(at))) }
}

func buildStore(c *compiler) error {
	if c.in.Has("async") {
		return buildAsyncStore(c)
	}
	t, n := c.lastType(), c.vectorLength()
	elems, err := c.elements(&c.in.Operands[1], n)
	if err != nil {
		return err
	}
	a, err := c.access(0, t.Size()*n, true)
	if err != nil {
		return err
	}
	if a.space == ptx.Const || a.param {
		return c.wrong("the state space cannot be written")
	}
	if c.in.Has("release") {
		if err := buildFence(c); err != nil {
			return err
		}
	}
	var values []slot
	for k := range elems {
		v, err := c.value(&elems[k], t)
		if err != nil {
			return err
		}
		values = append(values, v)
	}
	c.observe(a, values)
	a.elem = t.Size()
	c.carryStore(a, elems)
	a.known = a.watched && (a.narrow || n == 1)
	for k, v := range values {
		c.emit(storers[t.Size()](a, k, v))
	}
	return nil
}

func init() {
	register(map[string]builder{"ld": buildLoad, "ldu": buildLoad, "st": buildStore})
}
