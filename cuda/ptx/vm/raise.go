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
	lanes.each(func(l int) {
		if len(b.fault.Lanes) < maxFaultLanes {
			b.fault.Lanes = append(b.fault.Lanes, b.thread(l))
		}
	})
}

// raiseAccess stops the block with a fault of the i-th active lane's access. It
// returns false, for retarget.
func (b *block) raiseAccess(kind driver.FaultKind, a *access, i int, addr uint64, al *Allocation) bool {
	var lanes laneBits
	l := b.lane(i)
	lanes.add(l)
	space := a.space
	if space == ptx.Generic {
		var base uint64
		space, base = genericSpace(addr)
		addr -= base
	}
	b.raise(kind, &lanes, "")
	f := b.fault
	f.Space, f.Address, f.Bytes = space.String(), addr, a.size
	switch space {
	case ptx.Shared:
		b.describePlaced(f, b.code.sharedVars, addr, uint64(len(b.shared)), "shared")
	case ptx.Local:
		b.describePlaced(f, b.code.localVars, addr, uint64(b.code.localBytes), "local")
	case ptx.Param:
		f.Detail = fmt.Sprintf("offset %d of the %d-byte parameter block", int64(addr), len(b.launch.paramBlock))
	default:
		b.describeBuffer(f, al, addr)
	}
	return false
}

// describeBuffer names the allocation that a global access hit or missed.
func (b *block) describeBuffer(f *Fault, al *Allocation, addr uint64) {
	if al == nil {
		f.Detail = "no global memory is allocated"
		return
	}
	off := int64(addr - al.Base)
	f.Buffer, f.BufferSize, f.Offset = driver.DevicePtr(al.Base), al.Size, off
	f.Parameter = b.parameterOf(al)
	state := ""
	if al.Freed() {
		state = ", which is freed"
	}
	elem := ""
	if f.Bytes > 0 && off%int64(f.Bytes) == 0 {
		elem = fmt.Sprintf(", element %d of %d,", off/int64(f.Bytes), al.Size/f.Bytes)
	}
	f.Detail = fmt.Sprintf("byte %d%s of %s%s", off, elem, al.Label, state)
	if addr < 1<<16 {
		f.Detail = fmt.Sprintf("the address is null, or %d bytes from it", addr)
		f.Buffer, f.BufferSize, f.Offset, f.Parameter = 0, 0, 0, ""
	}
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

// describePlaced names the variable of shared or local memory that an access hit
// or came after.
func (b *block) describePlaced(f *Fault, vars []placed, addr, size uint64, what string) {
	f.Detail = fmt.Sprintf("%s offset %d of %d bytes", what, int64(addr), size)
	for i := range vars {
		p := &vars[i]
		if addr < uint64(p.offset) {
			continue
		}
		if i+1 == len(vars) || addr < uint64(vars[i+1].offset) {
			off := addr - uint64(p.offset)
			f.Buffer, f.BufferSize, f.Offset = driver.DevicePtr(p.offset), uint64(p.v.Size), int64(off)
			f.Detail = fmt.Sprintf("byte %d of the %d-byte %s variable %s", off, p.v.Size, what, p.v.Name)
		}
	}
}

func (b *block) raiseCode(l int, addr uint64) {
	var lanes laneBits
	lanes.add(l)
	b.raise(driver.FaultTrap, &lanes, fmt.Sprintf("an indirect call to 0x%x, where no function is", addr))
}

// placeFault adds where in the text the fault arose, unless that is known.
func (b *block) placeFault(in *ptx.Instruction) {
	f := b.fault
	if f == nil || in == nil || f.Line != 0 {
		return
	}
	f.Line, f.Instruction = in.Pos.Line, in.Mnemonic()
	f.Source = sourceOf(in, b.code.files)
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
