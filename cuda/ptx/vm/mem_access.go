package vm

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm/checks"
)

// segment is a piece of memory that an instruction hit last: its next access is
// most likely in the same one, and then costs one comparison.
type segment struct {
	base   uint64
	size   uint64
	mem    unsafe.Pointer
	shadow unsafe.Pointer // one byte a byte; nil when all is initialised
	// single segments are one lane's local memory, good for one access.
	single bool
	peer   bool           // another block's shared memory
	alloc  *Allocation    // of global memory
	races  *checks.Shadow // of alloc, once the race check has asked for it
	steps  []uint32       // of alloc, once the footprint has asked for it
	trail  *Trail         // and of the instruction, too
}

// access is what an instruction says about the memory it touches.
type access struct {
	in     *ptx.Instruction
	space  ptx.Space
	addr   slot
	narrow bool // the address register has 32 bits
	offset uint64
	size   uint64 // bytes of all elements together, a power of two
	elem   int    // of one
	site   int
	write  bool
	atomic bool
	strong bool // volatile, relaxed, acquire or release
	// ofCluster accesses reach the shared memory of other blocks.
	ofCluster bool
	// update loads only fetch what bits are written into: that memory may be
	// uninitialised.
	update bool
	// carry, where not nil, has by element the slot of the flags of values that may be
	// uninitialised (check_definedness.go); origin is a load's place in code.origins, plus 1.
	carry  []slot
	origin int
	// param is set for the kernel's parameter block, which is the same for all lanes.
	param bool
	// What the race check is told: whether a strong access acquires without a fence behind it, whether
	// that is its own meaning, and whether it is one of an mbarrier object, which sees to that itself.
	info                      checks.Info
	acquires, fences, counted bool
	// watched is set where the race check's step, which comes first, reports whether the
	// lanes' addresses are consecutive; known, where it leaves those that are not a register's
	// in scratch 0.
	watched, known bool
}

// access reads the address operand i of an instruction that touches size bytes.
func (c *compiler) access(i, size int, write bool) (*access, error) {
	return c.accessIn(c.operandSpace(), i, size, write)
}

// accessIn is access in a space that the modifiers do not tell by themselves.
func (c *compiler) accessIn(space ptx.Space, i, size int, write bool) (*access, error) {
	o := &c.in.Operands[i]
	if o.Kind != ptx.OpAddr {
		return nil, c.wrong("the operand is not an address in brackets")
	}
	if len(o.Elems) != 1 {
		return nil, c.refuse("the address has coordinates")
	}
	return c.accessTo(space, o, size, write)
}

// accessTo is accessIn of an address that may have coordinates behind it.
func (c *compiler) accessTo(space ptx.Space, o *ptx.Operand, size int, write bool) (*access, error) {
	a := &access{in: c.in, ofCluster: c.in.Has("shared::cluster"), space: space, size: uint64(size),
		elem: size, write: write, offset: uint64(o.Offset),
		site: c.code.sites}
	a.strong = c.in.Has("volatile") || c.in.Has("relaxed") || c.in.Has("acquire") || c.in.Has("release")
	c.code.sites++
	c.code.accesses[c.in] = a
	base := &o.Elems[0]
	if base.Kind == ptx.OpVar {
		if err := c.variableBase(a, base.Var); err != nil {
			return nil, err
		}
		return a, nil
	}
	t := ptx.U64
	if base.Kind == ptx.OpReg && base.Reg.Type.Size() == 4 {
		t, a.narrow = ptx.U32, true
	}
	a.param = a.space == ptx.Param
	var err error
	a.addr, err = c.value(base, t)
	return a, err
}

func (c *compiler) variableBase(a *access, v *ptx.Variable) error {
	if at, framed := c.inFrame[v]; framed {
		if a.space == ptx.Generic {
			a.offset += localWindow
		} else {
			a.space = ptx.Local
		}
		a.addr, a.offset = c.framePointer(), a.offset+uint64(at)
		return nil
	}
	addr, err := c.address(v)
	if err != nil {
		return err
	}
	switch {
	case c.kernelParam(v):
		a.space, a.param = ptx.Param, true
	case v.Space == ptx.Param:
		a.space = ptx.Local
	case a.space == ptx.Generic:
		addr += spaceWindows[v.Space]
	}
	a.addr = c.constant(8, addr, 0)
	return nil
}

// addresses gives the active lanes' addresses, the offset not yet added.
func (a *access) addresses(b *block) []uint64 {
	switch {
	case a.known && (a.narrow || b.idx != nil):
		return scratch[uint64](b, 0)
	case !a.narrow:
		return in[uint64](b, a.addr, 0)
	}
	out := scratch[uint64](b, 0)
	map1(out, in[uint32](b, a.addr, 1), func(x uint32) uint64 { return uint64(x) })
	return out
}

// retarget points the instruction's segment at what lane i's address hits, or
// raises the fault.
func (a *access) retarget(b *block, i int, addr uint64) bool {
	seg := &b.sites[a.site]
	if addr&(a.size-1) != 0 {
		al, _ := b.launch.memory.find(addr)
		return b.raiseAccess(driver.FaultMisaligned, a, i, addr, al)
	}
	space, base := a.space, uint64(0)
	if space == ptx.Generic {
		space, base = genericSpace(addr)
	}
	switch space {
	case ptx.Shared:
		if !a.retargetShared(b, i, base, addr) {
			seg.size = 0
			return false
		}
	case ptx.Local:
		l := b.lane(i)
		n := b.localEnd(l)
		*seg = segment{base: base, size: uint64(n), single: true}
		if n > 0 {
			seg.mem = unsafe.Pointer(&b.local[l*b.stride])
			if b.localInit != nil {
				seg.shadow = unsafe.Pointer(&b.localInit[l*b.stride])
			}
		}
	case ptx.Param:
		p := b.launch.paramBlock
		*seg = segment{base: base, size: uint64(len(p)), mem: unsafe.Pointer(unsafe.SliceData(p))}
	default:
		return a.retargetGlobal(b, i, addr)
	}
	if off := addr - seg.base; off > seg.size || a.size > seg.size-off {
		seg.size = 0
		return b.raiseAccess(driver.FaultOutOfBounds, a, i, addr, nil)
	}
	if a.update {
		seg.shadow = nil
	}
	return true
}

func genericSpace(addr uint64) (ptx.Space, uint64) {
	switch {
	case addr-sharedWindow < windowSize:
		return ptx.Shared, sharedWindow
	case addr-localWindow < windowSize:
		return ptx.Local, localWindow
	case addr-paramWindow < windowSize:
		return ptx.Param, paramWindow
	}
	return ptx.Global, 0
}

func (a *access) retargetGlobal(b *block, i int, addr uint64) bool {
	seg := &b.sites[a.site]
	seg.size = 0
	al, ok := b.launch.memory.find(addr)
	switch {
	case al != nil && al.Freed() && ok:
		return b.raiseAccess(driver.FaultUseAfterFree, a, i, addr, al)
	case !ok || a.size > al.Size-(addr-al.Base):
		return b.raiseAccess(driver.FaultOutOfBounds, a, i, addr, al)
	case a.write && al.ReadOnly:
		return b.raiseAccess(driver.FaultReadOnly, a, i, addr, al)
	}
	data := al.data
	if uint64(len(data)) < al.Size {
		return b.raiseAccess(driver.FaultUseAfterFree, a, i, addr, al)
	}
	*seg = segment{base: al.Base, size: al.Size, mem: unsafe.Pointer(unsafe.SliceData(data)), shadow: shadowOf(al.shadow), alloc: al}
	if a.update {
		seg.shadow = nil
	}
	return true
}

func shadowOf(s []byte) unsafe.Pointer {
	if s == nil {
		return nil
	}
	return unsafe.Pointer(unsafe.SliceData(s))
}

// loadLanes reads element number k of each lane's access into d.
func loadLanes[T any](b *block, a *access, addrs []uint64, k int, d []T) {
	if k == 0 && loadRun(b, a, addrs, d) {
		return
	}
	size := uint64(unsafe.Sizeof(*new(T)))
	seg := &b.sites[a.site]
	elem := a.offset + uint64(k)*size
	align := a.size - 1
	for i := 0; i < len(addrs); {
		if seg.size >= a.size && !seg.single {
			limit, base, mem, shadow := seg.size-a.size, seg.base-a.offset, seg.mem, seg.shadow
			for ; i < len(addrs); i++ {
				off := addrs[i] - base
				if off > limit || off&align != 0 {
					break
				}
				off += uint64(k) * size
				if shadow != nil && blank[T](unsafe.Add(shadow, off)) && !a.carries(b, k, i, seg, off) {
					b.raiseAccess(driver.FaultUninitialized, a, i, addrs[i]+elem, seg.alloc)
					return
				}
				d[i] = *(*T)(unsafe.Add(mem, off))
			}
			if i == len(addrs) {
				return
			}
		}
		if !a.retarget(b, i, addrs[i]+a.offset) {
			return
		}
		if seg.single {
			off := addrs[i] + elem - seg.base
			if seg.shadow != nil && blank[T](unsafe.Add(seg.shadow, off)) && !a.carries(b, k, i, seg, off) {
				b.raiseAccess(driver.FaultUninitialized, a, i, addrs[i]+elem, nil)
				return
			}
			d[i] = *(*T)(unsafe.Add(seg.mem, off))
			i++
		}
	}
}

// blank reports whether no byte of a T was written, by its shadow. What is written
// in part may be padding that a structure's copy takes along.
func blank[T any](shadow unsafe.Pointer) bool {
	switch unsafe.Sizeof(*new(T)) {
	case 1:
		return *(*uint8)(shadow) == 0
	case 2:
		return *(*uint16)(shadow) == 0
	case 4:
		return *(*uint32)(shadow) == 0
	case 8:
		return *(*uint64)(shadow) == 0
	}
	s := (*[2]uint64)(shadow)
	return s[0]|s[1] == 0
}

// storeLanes writes element number k of each lane's access from v.
func storeLanes[T any](b *block, a *access, addrs []uint64, k int, v []T) {
	size := uint64(unsafe.Sizeof(*new(T)))
	seg := &b.sites[a.site]
	align := a.size - 1
	if carried := a.carry != nil && b.carried; carried && !a.keepsIn(b, addrs, k) ||
		k == 0 && !carried && storeRun(b, a, addrs, v) {
		return
	}
	for i := 0; i < len(addrs); {
		if seg.size >= a.size && !seg.single {
			limit, base, mem, shadow := seg.size-a.size, seg.base-a.offset, seg.mem, seg.shadow
			for ; i < len(addrs); i++ {
				off := addrs[i] - base
				if off > limit || off&align != 0 {
					break
				}
				off += uint64(k) * size
				*(*T)(unsafe.Add(mem, off)) = v[i]
				switch {
				case shadow == nil:
				case a.brings(b, k, i):
					clear(unsafe.Slice((*byte)(unsafe.Add(shadow, off)), size))
				default:
					written[T](unsafe.Add(shadow, off))
				}
			}
			if i == len(addrs) {
				return
			}
		}
		if !a.retarget(b, i, addrs[i]+a.offset) {
			return
		}
		if seg.single {
			off := addrs[i] + a.offset + uint64(k)*size - seg.base
			*(*T)(unsafe.Add(seg.mem, off)) = v[i]
			switch {
			case seg.shadow == nil:
			case a.brings(b, k, i):
				clear(unsafe.Slice((*byte)(unsafe.Add(seg.shadow, off)), size))
			default:
				written[T](unsafe.Add(seg.shadow, off))
			}
			i++
		}
	}
}

// written marks a T as initialised in its shadow.
func written[T any](shadow unsafe.Pointer) {
	switch unsafe.Sizeof(*new(T)) {
	case 1:
		*(*uint8)(shadow) = 1
	case 2:
		*(*uint16)(shadow) = 0x0101
	case 4:
		*(*uint32)(shadow) = 0x01010101
	case 8:
		*(*uint64)(shadow) = 0x0101010101010101
	default:
		*(*[2]uint64)(shadow) = [2]uint64{0x0101010101010101, 0x0101010101010101}
	}
}
