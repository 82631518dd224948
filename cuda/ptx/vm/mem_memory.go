package vm

import (
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm/checks"
)

// Address windows. Global allocations lie from globalBase upwards and are never
// given out twice; the windows of the other spaces lie below it, so that a
// generic address says its space.
const (
	sharedWindow uint64 = 0x0001_0000_0000
	localWindow  uint64 = 0x0002_0000_0000
	paramWindow  uint64 = 0x0003_0000_0000
	codeWindow   uint64 = 0x0004_0000_0000 // addresses of functions
	windowSize   uint64 = 0x0001_0000_0000
	globalBase   uint64 = 0x7f00_0000_0000
	// allocAlign is the alignment of every allocation, guardGap the least distance
	// between two, so that a small overrun hits nothing.
	allocAlign uint64 = 512
	guardGap   uint64 = 64 << 10
)

// Memory is the global memory of an emulated device. It is safe for use by
// several goroutines; what kernels do to the bytes is theirs to order.
type Memory struct {
	mu    sync.Mutex
	next  uint64
	id    uint64
	used  uint64
	limit uint64
	dead  int // freed allocations in list
	// list holds every allocation by ascending base, freed ones too. It is replaced,
	// and what a reader has of it never changed, so that kernels read it without a
	// lock: a new one may share the array and be longer.
	list atomic.Pointer[[]*Allocation]
}

// Allocation is one piece of global memory. Its address range is never reused.
type Allocation struct {
	ID    uint64
	Base  uint64
	Size  uint64
	Label string // what faults call it: "buffer", "variable counters"
	// ReadOnly memory (.const variables) faults on stores.
	ReadOnly bool

	data  []byte
	words []uint64 // what data lies in, aligned
	freed atomic.Bool
	// shadow has one byte for each byte of data, 1 where it was written; nil when
	// all of it counts as written.
	shadow []byte
	raceMu sync.Mutex
	races  weak.Pointer[checks.Shadow] // of the last launch, for the next
}

// Freed reports whether the allocation was given back.
func (a *Allocation) Freed() bool { return a.freed.Load() }

// OutOfMemoryError says that an allocation did not fit.
type OutOfMemoryError struct{ Asked, Free, Total uint64 }

func (e *OutOfMemoryError) Error() string {
	return fmt.Sprintf("%d bytes asked, %d of %d free on the emulated device", e.Asked, e.Free, e.Total)
}

// AddressError says that an address range is not inside one live allocation.
type AddressError struct {
	Address, Bytes uint64
	Nearest        *Allocation // nil when there is none
}

func (e *AddressError) Error() string {
	s := fmt.Sprintf("%d bytes at 0x%x are not inside an allocation", e.Bytes, e.Address)
	if a := e.Nearest; a != nil {
		state := ""
		if a.Freed() {
			state = ", freed"
		}
		s += fmt.Sprintf("; nearest is the %d-byte %s at 0x%x (offset %d%s)", a.Size, a.Label, a.Base, int64(e.Address-a.Base), state)
	}
	return s
}

// NewMemory makes a memory of at most limit bytes.
func NewMemory(limit uint64) *Memory {
	return NewMemoryOf(0, limit)
}

// NewMemoryOf makes the memory of one of several devices, numbered from 0: addresses of one mean nothing on another.
func NewMemoryOf(device int, limit uint64) *Memory {
	m := &Memory{next: globalBase + uint64(device)<<40, limit: limit}
	m.list.Store(&[]*Allocation{})
	return m
}

// Usage gives the bytes in use and the limit.
func (m *Memory) Usage() (used, limit uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used, m.limit
}

// Alloc makes an allocation of size bytes, zero in content but uninitialised for
// the checks. The error is an *OutOfMemoryError.
func (m *Memory) Alloc(size uint64, label string) (*Allocation, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if size > m.limit-m.used || size > 1<<46 {
		return nil, &OutOfMemoryError{size, m.limit - m.used, m.limit}
	}
	m.id++
	a := &Allocation{ID: m.id, Base: m.next, Size: size, Label: label}
	a.words = make([]uint64, (size+7)/8+2)
	a.data = unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a.words))), size)
	a.shadow = make([]byte, size+16)
	m.used += size
	m.next += (size+guardGap+allocAlign-1)&^(allocAlign-1) + guardGap
	old := *m.list.Load()
	list := append(old, a)
	m.list.Store(&list)
	return a, nil
}

// Free gives an allocation back by its base address.
func (m *Memory) Free(base uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	a, ok := m.find(base)
	if !ok || a.Base != base || a.Freed() {
		return &AddressError{Address: base, Nearest: a}
	}
	a.freed.Store(true)
	m.used -= a.Size
	a.data, a.words, a.shadow = nil, nil, nil
	m.prune()
	return nil
}

// maxTombs bounds how many freed allocations are remembered for use-after-free.
const maxTombs = 1 << 14

func (m *Memory) prune() {
	if m.dead++; m.dead <= maxTombs {
		return
	}
	old := *m.list.Load()
	list := make([]*Allocation, 0, len(old))
	for _, a := range old {
		if a.Freed() && m.dead > maxTombs/2 {
			m.dead--
			continue
		}
		list = append(list, a)
	}
	m.list.Store(&list)
}

// find gives the allocation that addr lies in or, with ok false, is nearest to.
func (m *Memory) find(addr uint64) (a *Allocation, ok bool) {
	list := *m.list.Load()
	i := sort.Search(len(list), func(i int) bool { return list[i].Base > addr })
	if i == 0 {
		if len(list) > 0 {
			return list[0], false
		}
		return nil, false
	}
	a = list[i-1]
	if addr-a.Base < a.Size || a.Size == 0 && addr == a.Base {
		return a, true
	}
	if i < len(list) && list[i].Base-addr < addr-(a.Base+a.Size) {
		return list[i], false
	}
	return a, false
}

// Find gives the live allocation that holds n bytes at addr. The error is an
// *AddressError.
func (m *Memory) Find(addr, n uint64) (*Allocation, error) {
	a, ok := m.find(addr)
	if !ok || a.Freed() || n > a.Size-(addr-a.Base) {
		return nil, &AddressError{addr, n, a}
	}
	return a, nil
}

// bytes gives the live bytes at addr and their allocation.
func (m *Memory) bytes(addr, n uint64) ([]byte, *Allocation, uint64, error) {
	a, err := m.Find(addr, n)
	if err != nil {
		return nil, nil, 0, err
	}
	off := addr - a.Base
	return a.data[off : off+n], a, off, nil
}

// Read copies device memory out.
func (m *Memory) Read(dst []byte, addr uint64) error {
	if len(dst) == 0 {
		return nil
	}
	b, _, _, err := m.bytes(addr, uint64(len(dst)))
	if err != nil {
		return err
	}
	copy(dst, b)
	return nil
}

// Write copies into device memory, and marks it initialised.
func (m *Memory) Write(addr uint64, src []byte) error {
	if len(src) == 0 {
		return nil
	}
	b, a, off, err := m.bytes(addr, uint64(len(src)))
	if err != nil {
		return err
	}
	copy(b, src)
	a.mark(off, uint64(len(src)))
	return nil
}

// Copy moves n bytes between two places, which may overlap; what was
// uninitialised stays so.
func (m *Memory) Copy(dst, src, n uint64) error { return m.CopyFrom(dst, m, src, n) }

// CopyFrom moves n bytes from another memory into this one.
func (m *Memory) CopyFrom(dst uint64, from *Memory, src, n uint64) error {
	if n == 0 {
		return nil
	}
	d, da, doff, err := m.bytes(dst, n)
	if err != nil {
		return err
	}
	s, sa, soff, err := from.bytes(src, n)
	if err != nil {
		return err
	}
	copy(d, s)
	switch {
	case sa.shadow == nil:
		da.mark(doff, n)
	case da.shadow != nil:
		copy(da.shadow[doff:doff+n], sa.shadow[soff:soff+n])
	}
	return nil
}

// Fill writes count elements, each the bytes of pattern, from addr on.
func (m *Memory) Fill(addr uint64, pattern []byte, count uint64) error {
	w := uint64(len(pattern))
	if count == 0 || w == 0 {
		return nil
	}
	if count > 1<<46/w {
		return &AddressError{Address: addr, Bytes: 1 << 46}
	}
	b, a, off, err := m.bytes(addr, count*w)
	if err != nil {
		return err
	}
	n := copy(b, pattern)
	for n < len(b) {
		n += copy(b[n:], b[:n])
	}
	a.mark(off, count*w)
	return nil
}

// mark notes n bytes at off as written. A range over the whole allocation drops
// the shadow.
func (a *Allocation) mark(off, n uint64) {
	if a.shadow == nil {
		return
	}
	if off == 0 && n == a.Size {
		a.shadow = nil
		return
	}
	markWritten(a.shadow[off : off+n])
}

// Share gives the bytes themselves, for memory that the host writes too; all of it
// counts as initialised from then on.
func (a *Allocation) Share() []byte {
	a.shadow = nil
	return a.data
}
