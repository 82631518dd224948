package vm

import (
	"fmt"
	"path"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// raise stops the block with a fault of these lanes.
func (b *block) raise(kind driver.FaultKind, lanes *laneBits, detail string) {
	if b.fault != nil {
		return
	}
	b.fault = &Fault{Kind: kind, Block: b.ctaid, Detail: detail}
	lanes.each(func(l int) { b.fault.Lanes = append(b.fault.Lanes, b.thread(l)) })
}

// raiseAccess stops the block with a fault of the i-th active lane's access, and of those after it that
// fail alike. It returns false, for retarget.
func (b *block) raiseAccess(kind driver.FaultKind, a *access, i int, addr uint64, al *Allocation) bool {
	lanes := b.alike(kind, a, i, addr)
	space := a.space
	if space == ptx.Generic {
		var base uint64
		space, base = genericSpace(addr)
		addr -= base
	}
	b.raise(kind, &lanes, "")
	b.describe(space, a, addr, al)
	return false
}

// describe says of a fault what memory it is about.
func (b *block) describe(space ptx.Space, a *access, addr uint64, al *Allocation) {
	f := b.fault
	f.Space, f.Address, f.Bytes, f.Access = space.String(), addr, a.size, a.kind()
	switch space {
	case ptx.Shared:
		b.describePlaced(f, b.code.sharedVars, addr&peerMask)
		if owner, _ := b.peer(addr); owner != nil && owner != b && f.Detail == "" {
			f.Detail = fmt.Sprintf("the shared memory is that of block (%d,%d,%d)", owner.ctaid.X, owner.ctaid.Y, owner.ctaid.Z)
		}
	case ptx.Local:
		if b.stacks != nil && addr >= uint64(b.stacks.base) {
			b.describeStack(f, addr)
			return
		}
		b.describePlaced(f, b.code.localVars, addr)
	case ptx.Param:
		f.Detail = fmt.Sprintf("offset %d of the %d-byte parameter block", int64(addr), len(b.launch.paramBlock))
	case ptx.Const:
		if c := b.nearestConstant(addr); c != nil {
			al = c
		}
		b.describeBuffer(f, al, addr)
	default:
		b.describeBuffer(f, al, addr)
	}
}

// alike gives the lanes of an access, from the i-th active one on, that fail as that does at addr.
func (b *block) alike(kind driver.FaultKind, a *access, i int, addr uint64) laneBits {
	var lanes laneBits
	lanes.add(b.lane(i))
	addrs := a.addresses(b)
	element := addr - addrs[i] - a.offset // of a vector, the one that is read
	for j := i + 1; j < len(addrs); j++ {
		failed := a.fails(b, b.lane(j), addrs[j]+a.offset) == kind
		if kind == driver.FaultUninitialized {
			failed = a.blank(b, b.lane(j), addrs[j]+a.offset+element)
		}
		if failed {
			lanes.add(b.lane(j))
		}
	}
	return lanes
}

// fails says how a lane cannot access an address; nothing where it can.
func (a *access) fails(b *block, l int, addr uint64) driver.FaultKind {
	if addr&(a.size-1) != 0 && a.size&(a.size-1) == 0 {
		return driver.FaultMisaligned
	}
	space, base := a.space, uint64(0)
	if space == ptx.Generic {
		space, base = genericSpace(addr)
	}
	if space == ptx.Global || space == ptx.Const {
		al, ok := b.launch.memory.find(addr)
		switch {
		case al != nil && al.Freed() && ok:
			return driver.FaultUseAfterFree
		case !ok || a.size > al.Size-(addr-al.Base):
			return driver.FaultOutOfBounds
		case a.write && al.ReadOnly:
			return driver.FaultReadOnly
		}
		return ""
	}
	size := map[ptx.Space]int{ptx.Shared: len(b.shared), ptx.Local: b.localEnd(l),
		ptx.Param: len(b.launch.paramBlock)}[space]
	off := addr - base
	if space == ptx.Shared {
		var owner *block
		if owner, off = b.peer(off); owner == nil {
			return driver.FaultOutOfBounds
		}
	}
	if off > uint64(size) || a.size > uint64(size)-off {
		return driver.FaultOutOfBounds
	}
	return ""
}

// blank reports whether nothing has written what a lane reads at addr.
func (a *access) blank(b *block, l int, addr uint64) bool {
	space, base := a.space, uint64(0)
	if space == ptx.Generic {
		space, base = genericSpace(addr)
	}
	var written []byte
	switch space {
	case ptx.Shared:
		written = b.sharedInit
	case ptx.Local:
		if b.localInit != nil {
			written = b.localInit[l*b.stride : (l+1)*b.stride]
		}
	case ptx.Global:
		al, ok := b.launch.memory.find(addr)
		if !ok {
			return false
		}
		written, base = al.shadow, al.Base
	}
	off, n := addr-base, uint64(max(1, a.elem))
	if written == nil || off > uint64(len(written)) || n > uint64(len(written))-off {
		return false
	}
	for _, w := range written[off : off+n] {
		if w != 0 {
			return false
		}
	}
	return true
}

// kind says what the access does.
func (a *access) kind() driver.AccessKind {
	switch {
	case a.atomic:
		return driver.AccessAtomic
	case a.write:
		return driver.AccessWrite
	}
	return driver.AccessRead
}

// describeBuffer names the allocation that a global access hit or missed.
func (b *block) describeBuffer(f *Fault, al *Allocation, addr uint64) {
	switch {
	case addr < 1<<16:
		if addr > 0 {
			f.Detail = "the address is so near null that it is one with an offset"
		}
		return
	case al == nil:
		f.Detail = "no global memory is allocated"
		return
	}
	f.Buffer, f.BufferSize, f.Offset = driver.DevicePtr(al.Base), al.Size, int64(addr-al.Base)
	f.Parameter = b.parameterOf(al)
	for v, placed := range b.code.vars {
		if placed == al {
			f.Variable, f.Space = driver.VariableName(v.Name), v.Space.String()
		}
	}
	if f.Variable == "" && al.Label != "buffer" {
		f.Detail = "the buffer is " + al.Label
	}
}

// nearestConstant gives the constant variable nearest to an address.
func (b *block) nearestConstant(addr uint64) *Allocation {
	var near *Allocation
	least := ^uint64(0)
	for v, al := range b.code.vars {
		if v.Space != ptx.Const {
			continue
		}
		d := al.Base - addr
		if addr >= al.Base {
			d = addr - al.Base
		}
		if d < least || near == nil {
			near, least = al, d
		}
	}
	return near
}

// parameterOf finds the kernel parameter that holds a pointer into an allocation.
func (b *block) parameterOf(al *Allocation) string {
	for _, p := range b.code.params {
		if p.Size == 8 && p.Type.Size() == 8 {
			if v := *(*uint64)(b.param(p.Offset)); v-al.Base < max(al.Size, 1) {
				return p.Name
			}
		}
	}
	return ""
}

// describePlaced names the variable of shared or local memory that an access hit or came after.
func (b *block) describePlaced(f *Fault, vars []placed, addr uint64) {
	for i := range vars {
		p := &vars[i]
		if addr < uint64(p.offset) {
			continue
		}
		if i+1 == len(vars) || addr < uint64(vars[i+1].offset) {
			f.Buffer, f.BufferSize, f.Offset = driver.DevicePtr(p.offset), uint64(p.v.Size), int64(addr)-int64(p.offset)
			f.Variable = driver.VariableName(p.v.Name)
		}
	}
	if dynamic := b.code.dynamicBase; f.Space == ptx.Shared.String() && len(b.shared) > dynamic &&
		addr >= uint64(dynamic) {
		f.Buffer, f.BufferSize, f.Offset = driver.DevicePtr(dynamic), uint64(len(b.shared)-dynamic),
			int64(addr)-int64(dynamic)
		f.Variable = ""
	}
}

// placeFault adds where in the text the fault arose, unless that is known.
func (b *block) placeFault(in *ptx.Instruction) {
	f := b.fault
	if f == nil || in == nil || f.Line != 0 {
		return
	}
	f.Line, f.Instruction = in.Pos.Line, in.Mnemonic()
	if f.Source = sourceOf(in, b.code.files); f.Source != "" {
		f.Column = in.FileColumn
	} else if b.code.text != nil {
		f.Code, f.Column = b.code.text(in.Pos.Line), in.Pos.Col
	}
}

// lineOf says where an instruction is: in the source, or in the PTX where that is not known.
func (b *block) lineOf(in *ptx.Instruction) string {
	if at := sourceOf(in, b.code.files); at != "" {
		return at
	}
	return fmt.Sprintf("PTX line %d", in.Pos.Line)
}

// addDetail adds a sentence to the fault.
func (b *block) addDetail(text string) {
	if b.fault.Detail != "" {
		text = b.fault.Detail + "; " + text
	}
	b.fault.Detail = text
}

// sourceOf says where an instruction comes from, "saxpy:3"; nothing where the text does not tell.
func sourceOf(in *ptx.Instruction, files map[int]string) string {
	name := files[in.File]
	switch {
	case in.FileLine <= 0:
		return ""
	case name == "":
		return fmt.Sprintf("line %d", in.FileLine)
	}
	return fmt.Sprintf("%s:%d", path.Base(name), in.FileLine)
}
