package cuda

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"unsafe"
)

// Transfers go through the device's own stream and wait for it, so they see what was launched
// before them and are done when they return.

// Upload copies a slice to the device: of integers, floating-point or complex numbers, booleans, or
// arrays and structs of these.
func (d *Device) Upload(values any) (*Buffer, error) {
	const op = "Device.Upload"
	raw, elem, n, err := rawSlice(op, values)
	if err != nil {
		return nil, err
	}
	b, err := d.alloc(op, elem, n)
	if err != nil {
		return nil, err
	}
	if err := b.write(op, 0, raw); err != nil {
		b.abandon(err)
		return nil, err
	}
	return b, nil
}

// Write copies a slice of the buffer's element type into the buffer, from element at on.
func (b *Buffer) Write(at int, values any) error {
	const op = "Buffer.Write"
	raw, elem, n, err := rawSlice(op, values)
	if err != nil {
		return err
	}
	if b.none() {
		return b.live(op, nil)
	}
	if err := b.fits(op, elem, at, n); err != nil {
		return err
	}
	if err := b.a.idle(op); err != nil {
		return err
	}
	return b.write(op, uint64(at)*uint64(b.elem.Size()), raw)
}

// fits checks element type and range.
func (b *Buffer) fits(op string, elem reflect.Type, at, n int) error {
	if elem != b.elem {
		return &Error{Op: op, What: b.String(), Want: "[]" + b.elem.String(), Got: "[]" + elem.String()}
	}
	if at < 0 || n > b.n || at > b.n-n {
		return &Error{Op: op, What: b.String(), Want: fmt.Sprintf("elements in [0..%d)", b.n), Got: stretchText(at, n)}
	}
	return nil
}

// stretchText is "[at..at+n)", where that is a number.
func stretchText[T int | uint64](at, n T) string {
	if at+n < at {
		return fmt.Sprintf("%d from %d on", n, at)
	}
	return fmt.Sprintf("[%d..%d)", at, at+n)
}

// stageBytes is how much of a transfer goes through page-locked memory at once.
const stageBytes = 8 << 20

// write copies to the device through page-locked memory: from other memory the driver copies within
// the call, and where another goroutine has enqueued something meanwhile that wait could not be
// interrupted.
func (b *Buffer) write(op string, offset uint64, raw []byte) error {
	d := b.a.dev
	if err := b.live(op, d); err != nil {
		return err
	}
	if err := d.idle(op, b); err != nil {
		return err
	}
	for part := range slices.Chunk(raw, stageBytes) {
		block, err := d.stage(op, b, len(part), func(mem []byte) error {
			copy(mem, part)
			return d.ctx.CopyHtoDAsync(b.a.ptr+devicePtr(offset), mem, d.stream.s)
		})
		if err != nil {
			return err
		}
		d.hostPool.giveBack(block)
		offset += uint64(len(part))
	}
	d.counters.toDevice.moved(uint64(len(raw)))
	return nil
}

// stage enqueues a copy from or to n bytes of page-locked memory and waits for it, interruptibly.
// The block is the caller's where there is no error.
func (d *Device) stage(op string, b *Buffer, n int, enqueue func([]byte) error) (*hostBlock, error) {
	block, err := d.hostPool.lease(d, op, uint64(n))
	if err != nil {
		return nil, err
	}
	if err = enqueue(block.mem.Bytes()[:n]); err == nil {
		err = d.settle(op, func() { d.hostPool.giveBack(block) })
	}
	runtime.KeepAlive(b)
	switch {
	case err == nil:
		return block, nil
	case wasInterrupted(err):
		return nil, err
	}
	d.hostPool.giveBack(block)
	return nil, d.late(op, b.String(), err)
}

// idle waits, interruptibly, for what a transfer is behind.
func (d *Device) idle(op string, b *Buffer) error {
	err := d.drain(op)
	if err == nil || wasInterrupted(err) {
		return err
	}
	return d.late(op, b.String(), err)
}

// CopyFrom copies a buffer of the same size into this one. They may be on different devices: of one
// driver the device copies, else the host does.
func (b *Buffer) CopyFrom(src *Buffer) error {
	const op = "Buffer.CopyFrom"
	for _, x := range []*Buffer{b, src} {
		if x.none() {
			return x.live(op, nil)
		}
	}
	d, from := b.a.dev, src.a.dev
	if err := errors.Join(b.live(op, d), src.live(op, from), b.a.idle(op)); err != nil {
		return err
	}
	if err := sameSize(op, b, src); err != nil {
		return err
	}
	if from.drv != d.drv {
		raw := make([]byte, src.a.bytes)
		if err := src.read(op, 0, raw); err != nil {
			return err
		}
		return b.write(op, 0, raw)
	}
	if err := errors.Join(from.idle(op, src), d.idle(op, b)); err != nil {
		return err
	}
	err := d.ctx.CopyPeerAsync(b.a.ptr, src.a.ptr, from.ctx, b.a.bytes, d.stream.s)
	return d.finish(op, b, err, func() { runtime.KeepAlive(src) })
}

// finish waits for what was enqueued without an error, interruptibly.
func (d *Device) finish(op string, b *Buffer, err error, late func()) error {
	if err == nil {
		err = d.settle(op, late)
	}
	runtime.KeepAlive(b)
	if err == nil || wasInterrupted(err) {
		return err
	}
	return d.late(op, b.String(), err)
}

// Read copies elements from at on into a slice of the buffer's element type, as many as it has.
func (b *Buffer) Read(at int, into any) error {
	const op = "Buffer.Read"
	raw, elem, n, err := rawSlice(op, into)
	if err != nil {
		return err
	}
	if b.none() {
		return b.live(op, nil)
	}
	if err := b.fits(op, elem, at, n); err != nil {
		return err
	}
	return b.read(op, uint64(at)*uint64(b.elem.Size()), raw)
}

func (b *Buffer) read(op string, offset uint64, raw []byte) error {
	d := b.a.dev
	if err := b.live(op, d); err != nil {
		return err
	}
	if err := d.idle(op, b); err != nil {
		return err
	}
	for part := range slices.Chunk(raw, stageBytes) {
		block, err := d.stage(op, b, len(part), func(mem []byte) error {
			return d.ctx.CopyDtoHAsync(mem, b.a.ptr+devicePtr(offset), d.stream.s)
		})
		if err != nil {
			return err
		}
		copy(part, block.mem.Bytes())
		d.hostPool.giveBack(block)
		offset += uint64(len(part))
	}
	d.counters.toHost.moved(uint64(len(raw)))
	d.counters.syncs.add(1)
	return nil
}

// Download gives the elements as a slice of their type, []float32 say, in an interface.
func (b *Buffer) Download() (any, error) {
	if b.none() {
		return nil, b.live("Buffer.Download", nil)
	}
	return b.slice(0, b.n)
}

func (b *Buffer) slice(at, n int) (any, error) {
	into := reflect.MakeSlice(reflect.SliceOf(b.elem), n, n).Interface()
	if err := b.Read(at, into); err != nil {
		return nil, err
	}
	return into, nil
}

// Clear sets every byte to 0. A buffer that a dispatch is using is refused, as Write refuses it.
func (b *Buffer) Clear() error {
	const op = "Buffer.Clear"
	if b.none() {
		return b.live(op, nil)
	}
	if err := b.a.idle(op); err != nil {
		return err
	}
	return b.clear(op)
}

func (b *Buffer) clear(op string) error {
	d := b.a.dev
	if err := b.live(op, d); err != nil {
		return err
	}
	if err := d.idle(op, b); err != nil {
		return err
	}
	return d.finish(op, b, d.ctx.MemsetD8Async(b.a.ptr, 0, b.a.bytes, d.stream.s), nil)
}

func pointerTo(raw []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(raw)) }

func bytesOf(p unsafe.Pointer, n uint64) []byte { return unsafe.Slice((*byte)(p), n) }

// rawSlice gives the memory of a slice that a device can hold.
func rawSlice(op string, values any) (raw []byte, elem reflect.Type, n int, err error) {
	v := reflect.ValueOf(values)
	if v.Kind() != reflect.Slice {
		return nil, nil, 0, &Error{Op: op, Want: "a slice", Got: typeName(values)}
	}
	elem = v.Type().Elem()
	if err := deviceType(op, elem); err != nil {
		return nil, nil, 0, err
	}
	return bytesOf(v.UnsafePointer(), uint64(v.Len())*uint64(elem.Size())), elem, v.Len(), nil
}

func typeName(v any) string {
	if v == nil {
		return "nil"
	}
	return reflect.TypeOf(v).String()
}

// deviceType refuses types whose bytes mean nothing on a device.
func deviceType(op string, t reflect.Type) error {
	if t == nil || !plain(t) || t.Size() == 0 {
		name := "nil"
		if t != nil {
			name = t.String()
		}
		return &Error{Op: op, Want: "elements that are numbers, or arrays and structs of numbers", Got: name}
	}
	return nil
}

// plain says whether values of a type are bytes and nothing else: no pointers.
func plain(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return k >= reflect.Bool && k <= reflect.Complex128 && k != reflect.Uintptr
	}
}
