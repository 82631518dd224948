package cuda

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Buffer is device memory that holds elements of one type. It is given back by Close, by the
// device's Close, or, so that a notebook does not fill the device, when nothing refers to it any
// more.
type Buffer struct {
	a    *allocation
	elem reflect.Type
	n    int
}

// An allocation is the memory behind a buffer. The device knows allocations, not buffers, so that a
// forgotten buffer can be collected.
type allocation struct {
	id     uint64 // never used again
	dev    *Device
	module string // that the memory belongs to, where it is a variable's
	ptr    driver.DevicePtr
	bytes  uint64
	handle *LiveHandle

	mu      sync.Mutex
	freed   atomic.Bool    // changed under mu
	users   map[string]int // guarded by mu: graphs that need the memory
	flights int            // guarded by mu: dispatches under way that use it
}

var bufferSerial atomic.Uint64

// ID is a number that no other buffer of this process has or will have; 0 for a nil or a zero
// buffer.
func (b *Buffer) ID() uint64 {
	if b.none() {
		return 0
	}
	return b.a.id
}

func (b *Buffer) none() bool { return b == nil || b.a == nil }

// Alloc allocates n bytes, uninitialised, as a buffer of bytes. MakeUninit does so for other types.
func (d *Device) Alloc(n int) (*Buffer, error) {
	return d.alloc("Device.Alloc", reflect.TypeFor[byte](), n)
}

// MakeUninit allocates n elements of the type of zero, uninitialised: what is in them is not known.
// The emulated device refuses kernels that read them before they are written.
func (d *Device) MakeUninit(n int, zero any) (*Buffer, error) {
	const op = "Device.MakeUninit"
	elem := reflect.TypeOf(zero)
	if err := deviceType(op, elem); err != nil {
		return nil, err
	}
	return d.alloc(op, elem, n)
}

// Make allocates n elements of the type of zero, all bits 0: dev.Make(1024, float32(0)).
func (d *Device) Make(n int, zero any) (*Buffer, error) {
	const op = "Device.Make"
	elem := reflect.TypeOf(zero)
	if err := deviceType(op, elem); err != nil {
		return nil, err
	}
	b, err := d.alloc(op, elem, n)
	if err != nil {
		return nil, err
	}
	if err := b.clear(op); err != nil {
		b.abandon(err)
		return nil, err
	}
	return b, nil
}

func (d *Device) alloc(op string, elem reflect.Type, n int) (*Buffer, error) {
	if err := d.checkOpen(op); err != nil {
		return nil, err
	}
	what := fmt.Sprintf("%d x %s", n, elem)
	if n <= 0 {
		return nil, &Error{Op: op, What: what, Want: "at least one element", Got: fmt.Sprint(n)}
	}
	size := uint64(elem.Size())
	if uint64(n) > (1<<62)/size {
		return nil, &Error{Op: op, What: what, Want: "a size that fits in 62 bits", Got: what}
	}
	a := &allocation{id: bufferSerial.Add(1), dev: d, bytes: uint64(n) * size}
	if err := d.spend(op, what, a.bytes); err != nil {
		return nil, err
	}
	p, err := blocking(op, func() (driver.DevicePtr, error) { return d.ctx.Alloc(a.bytes) }, func(p driver.DevicePtr) {
		_ = d.ctx.Free(p)
	})
	if err != nil {
		d.spent.Add(-int64(a.bytes))
		if wasInterrupted(err) {
			return nil, err
		}
		return nil, d.late(op, what, err)
	}
	a.ptr = p
	a.handle = track("buffer", what)
	d.counters.allocations.add(1)
	if !d.own(a) {
		_ = a.closeWithDevice() // the device was closed meanwhile
		return nil, d.checkOpen(op)
	}
	b := &Buffer{a: a, elem: elem, n: n}
	// cuMemFree waits for work that uses the memory, so a buffer may be collected behind a launch.
	runtime.AddCleanup(b, func(a *allocation) { _ = a.free("collected buffer") }, a)
	return b, nil
}

// SetBudget bounds the bytes of all buffers of the device together; 0 means no bound but the
// device's own. Buffers that are there already count and stay.
func (d *Device) SetBudget(bytes uint64) {
	if err := d.checkOpen("Device.SetBudget"); err != nil {
		panic(err)
	}
	d.budget.Store(int64(min(bytes, 1<<62))) // more than a device can have, either way
}

// spend takes bytes from the budget, or refuses.
func (d *Device) spend(op, what string, n uint64) error {
	limit := d.budget.Load()
	total := d.spent.Add(int64(n))
	if limit > 0 && total > limit {
		d.spent.Add(-int64(n))
		return &Error{Op: op, What: what, Want: fmt.Sprintf("at most the %d bytes left of the budget of %d", max(0,
			limit-total+int64(n)), limit), Got: fmt.Sprint(n), Fix: "free buffers, or raise Device.SetBudget",
			code: driver.ErrorOutOfMemory}
	}
	return nil
}

// Close gives the memory back, when the device's work is done. Freeing twice, or what a graph or a
// pending dispatch needs, is an error.
func (b *Buffer) Close() error {
	const op = "Buffer.Close"
	if b.none() {
		return b.live(op, nil)
	}
	defer runtime.KeepAlive(b)
	if err := b.a.unused(op); err != nil {
		return err
	}
	if err := b.a.dev.mayWait(op); err != nil {
		return err
	}
	err := b.a.dev.quiet(op) // the driver would wait before it frees
	if wasInterrupted(err) {
		return err
	}
	if err == nil {
		return b.a.free(op)
	}
	return errors.Join(withoutEchoes([]error{wrap(op, b.a.String(), err), b.a.free(op)})...)
}

// abandon gives back a buffer that could not be filled: what is enqueued may use it still, where
// the wait for that was interrupted.
func (b *Buffer) abandon(err error) {
	if wasInterrupted(err) {
		go func() { _ = b.a.free("Buffer.Close") }() // nobody has it who could be told
		return
	}
	_ = b.Close() // err says more
}

// unused refuses a buffer that was freed, or that something needs.
func (a *allocation) unused(op string) error {
	if err := a.idle(op); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.freed.Load() {
		return a.isGone(op)
	}
	if a.module != "" {
		return &Error{Op: op, What: a.String(), Got: "it is a variable of module " + a.module,
			Fix: "Module.Close gives it back with the module", code: driver.ErrorNotPermitted}
	}
	for user := range a.users {
		return &Error{Op: op, What: a.String(), Got: "it is in use by " + user, Fix: "wait for it, or close it, first",
			code: driver.ErrorIllegalState}
	}
	return nil
}

func (a *allocation) free(op string) error {
	if err := a.unused(op); err != nil {
		return err
	}
	a.mu.Lock()
	if a.freed.Load() || !a.dev.disown(a) {
		a.mu.Unlock()
		return nil // another gives it back, the device itself maybe
	}
	defer a.dev.gone()
	a.freed.Store(true)
	a.mu.Unlock()
	a.handle.forget()
	a.dev.spent.Add(-int64(a.bytes))
	return wrap(op, a.String(), a.dev.ctx.Free(a.ptr))
}

func (a *allocation) closeWithDevice() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.freed.Load() {
		return nil
	}
	a.freed.Store(true)
	a.handle.forget()
	return a.dev.ctx.Free(a.ptr)
}

func (a *allocation) lost() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.freed.Store(true)
	a.handle.forget()
}

func (a *allocation) String() string {
	return fmt.Sprintf("buffer %d of %d bytes at %s", a.id, a.bytes, a.ptr)
}

// hold keeps the memory from being freed while user needs it; release ends that.
func (a *allocation) hold(op, user string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.freed.Load() {
		return a.isGone(op)
	}
	if a.users == nil {
		a.users = map[string]int{}
	}
	a.users[user]++
	return nil
}

func (a *allocation) release(user string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.users[user]--; a.users[user] <= 0 {
		delete(a.users, user)
	}
}

// live refuses a buffer that was freed, or that belongs to another device.
func (b *Buffer) live(op string, d *Device) error {
	switch {
	case b == nil || b.a == nil:
		return missing(op, "a buffer", "Device.Upload, Make or Alloc")
	case b.a.freed.Load():
		return b.a.isGone(op)
	case b.a.dev != d:
		return b.a.isElsewhere(op, d)
	}
	return nil
}

// isGone says what became of the memory.
func (a *allocation) isGone(op string) error {
	e := &Error{Op: op, What: a.String(), Got: "the buffer was freed", Fix: "upload it again",
		code: driver.ErrorInvalidHandle}
	switch state := a.dev.state(); {
	case state != "":
		e.Got = fmt.Sprintf("the buffer is gone: its device, %s, was %s", a.dev, state)
		e.Fix = "make it again on the device that is open now"
	case a.module != "":
		e.Got, e.Fix = "the buffer is a variable of module "+a.module+", which was unloaded", "load the module again"
	}
	return e
}

// isElsewhere says where memory is that a call on another device was given.
func (a *allocation) isElsewhere(op string, d *Device) error {
	e := &Error{Op: op, What: a.String(), Got: "the buffer is on another device, " + a.dev.String(),
		Fix: "make one there and copy: Buffer.CopyFrom", code: driver.ErrorInvalidHandle}
	if a.dev.String() == d.String() {
		e.Got = fmt.Sprintf("the buffer was made by another cuda.Open of %s, and each Open is a device of its own", d)
		e.Fix = "open the device once, or make the buffer again; Buffer.CopyFrom copies it"
	}
	return e
}

// Len is the number of elements; 0 for a nil or a zero buffer, as Bytes and Ptr are.
func (b *Buffer) Len() int {
	if b.none() {
		return 0
	}
	return b.n
}

// Bytes is the size in bytes.
func (b *Buffer) Bytes() uint64 {
	if b.none() {
		return 0
	}
	return b.a.bytes
}

// Elem is the type of the elements, nil for a nil or a zero buffer.
func (b *Buffer) Elem() reflect.Type {
	if b.none() {
		return nil
	}
	return b.elem
}

// Ptr is the address on the device, for interoperation. It does not keep the buffer alive.
func (b *Buffer) Ptr() DevicePtr {
	if b.none() {
		return 0
	}
	return b.a.ptr
}

// Device is where the memory is, nil for a nil or a zero buffer.
func (b *Buffer) Device() *Device {
	if b.none() {
		return nil
	}
	return b.a.dev
}

func (b *Buffer) String() string {
	if b.none() {
		return "no buffer"
	}
	return fmt.Sprintf("[%d]%s on %s", b.n, b.elem, b.a.dev)
}

// previewLength is how many elements a buffer's card shows.
const previewLength = 8

// Table is the buffer's card, with its first elements.
func (b *Buffer) Table() display.Table {
	if b.none() {
		return *display.Card("No buffer")
	}
	t := display.Card(fmt.Sprint("Buffer ", b.a.id))
	t.Add("elements", fmt.Sprintf("%d x %s", b.n, b.elem))
	t.Add("size", display.Bytes(b.a.bytes))
	t.Add("address", b.a.ptr.String())
	t.Add("device", b.a.dev.String())
	if head, err := b.slice(0, min(b.n, previewLength)); err == nil {
		text := fmt.Sprint(head)
		if b.n > previewLength {
			text = text[:len(text)-1] + " …]"
		}
		t.Add("begins with", text)
	} else {
		t.Note(err.Error())
	}
	return *t
}
