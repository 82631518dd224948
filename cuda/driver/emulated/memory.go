package emulated

import (
	gocontext "context"
	"encoding/binary"
	"errors"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

func (c *context) Alloc(n uint64) (driver.DevicePtr, error) {
	if err := c.spoilCaptures("cuMemAlloc", c.enter("cuMemAlloc")); err != nil {
		return 0, err
	}
	return c.alloc("cuMemAlloc", n)
}

func (c *context) alloc(call string, n uint64) (driver.DevicePtr, error) {
	if n == 0 {
		return 0, fail(call, driver.ErrorInvalidValue, "an allocation of 0 bytes")
	}
	a, err := c.memory.Alloc(n, "buffer")
	if err != nil {
		return 0, memoryError(call, err)
	}
	return driver.DevicePtr(a.Base), nil
}

// memoryError gives the virtual machine's refusals their codes.
func memoryError(call string, err error) error {
	var full *vm.OutOfMemoryError
	if errors.As(err, &full) {
		return fail(call, driver.ErrorOutOfMemory, err.Error())
	}
	return fail(call, driver.ErrorInvalidValue, err.Error())
}

func (c *context) Free(p driver.DevicePtr) error {
	const call = "cuMemFree"
	if err := c.spoilCaptures(call, c.enter(call)); err != nil {
		return err
	}
	if p == 0 {
		return nil
	}
	c.settle()
	a, _ := c.memory.Find(uint64(p), 1)
	if err := c.memory.Free(uint64(p)); err != nil {
		return memoryError(call, err)
	}
	c.forget(nil, a)
	return c.enter(call)
}

func (c *context) AllocAsync(n uint64, s driver.Stream) (driver.DevicePtr, error) {
	const call = "cuMemAllocAsync"
	st, err := c.stream(call, s)
	if err != nil {
		return 0, err
	}
	if k := st.capturing(); k != nil {
		nd, err := k.graph.newMemAlloc(call, n)
		if err != nil {
			return 0, err
		}
		return nd.memory, k.record(call, st, nd)
	}
	return c.alloc(call, n)
}

func (c *context) FreeAsync(p driver.DevicePtr, s driver.Stream) error {
	const call = "cuMemFreeAsync"
	st, err := c.stream(call, s)
	if err != nil {
		return err
	}
	if k := st.capturing(); k != nil {
		return k.record(call, st, &node{kind: driver.GraphNodeMemFree, memory: p})
	}
	a, err := c.memory.Find(uint64(p), 1)
	if err != nil {
		return memoryError(call, err)
	}
	st.enqueue(&op{always: true, run: func(_ gocontext.Context, o *op) error {
		d := c.doing(c.place(o), "a free")
		d.touches(c.memory, p, a.Size, vm.TouchWrite)
		if err := c.judge(d); err != nil {
			return err
		}
		c.forget(nil, a)
		if err := c.memory.Free(uint64(p)); err != nil {
			return memoryError(call, err)
		}
		return nil
	}})
	return nil
}

func (c *context) AddressRange(p driver.DevicePtr) (driver.DevicePtr, uint64, error) {
	const call = "cuMemGetAddressRange"
	if err := c.enter(call); err != nil {
		return 0, 0, err
	}
	a, err := c.memory.Find(uint64(p), 1)
	if err != nil {
		return 0, 0, fail(call, driver.ErrorNotFound, err.Error())
	}
	return driver.DevicePtr(a.Base), a.Size, nil
}

// transfer is a copy or fill: as an operation, and as a node of a graph.
type transfer struct {
	call string
	node *node
	// touches are the device ranges that must exist.
	touches [][2]uint64
	// sync says that the host waits for it at once.
	sync bool
}

// enqueue puts a transfer on a stream, or into its capture.
func (c *context) enqueue(t transfer, s driver.Stream) (*op, error) {
	st, err := c.stream(t.call, s)
	if err != nil {
		return nil, err
	}
	if k := st.capturing(); k != nil {
		return nil, k.record(t.call, st, t.node)
	}
	for _, r := range t.touches {
		if r[1] == 0 {
			continue
		}
		if _, err := c.memory.Find(r[0], r[1]); err != nil {
			return nil, memoryError(t.call, err)
		}
	}
	n := t.node
	run := func(_ gocontext.Context, o *op) error { return n.transfer(c, c.place(o)) }
	return st.enqueue(&op{run: run, sync: t.sync}), nil
}

// now runs a transfer in the order of the default stream and waits for it.
func (c *context) now(t transfer) error {
	if err := c.spoilCaptures(t.call, c.enter(t.call)); err != nil {
		return err
	}
	t.sync = true
	o, err := c.enqueue(t, nil)
	if err != nil {
		return err
	}
	f := c.queue.wait(o)
	c.know(o.clock())
	if err := c.enter(t.call); err != nil {
		return err
	}
	return f.report(t.call)
}

func (c *context) async(t transfer, s driver.Stream) error {
	_, err := c.enqueue(t, s)
	return err
}

func toDevice(call string, dst driver.DevicePtr, src []byte) transfer {
	p := driver.MemcpyNodeParams{Dst: dst, SrcHost: unsafe.Pointer(unsafe.SliceData(src)), Bytes: uint64(len(src))}
	touches := [][2]uint64{{uint64(dst), p.Bytes}}
	return transfer{call: call, node: &node{kind: driver.GraphNodeMemcpy, copy: p}, touches: touches}
}

func toHost(call string, dst []byte, src driver.DevicePtr) transfer {
	p := driver.MemcpyNodeParams{DstHost: unsafe.Pointer(unsafe.SliceData(dst)), Src: src, Bytes: uint64(len(dst))}
	touches := [][2]uint64{{uint64(src), p.Bytes}}
	return transfer{call: call, node: &node{kind: driver.GraphNodeMemcpy, copy: p}, touches: touches}
}

func onDevice(call string, dst, src driver.DevicePtr, n uint64) transfer {
	p := driver.MemcpyNodeParams{Dst: dst, Src: src, Bytes: n}
	touches := [][2]uint64{{uint64(dst), n}, {uint64(src), n}}
	return transfer{call: call, node: &node{kind: driver.GraphNodeMemcpy, copy: p}, touches: touches}
}

func (c *context) CopyHtoD(dst driver.DevicePtr, src []byte) error {
	return c.now(toDevice("cuMemcpyHtoD", dst, src))
}
func (c *context) CopyDtoH(dst []byte, src driver.DevicePtr) error {
	return c.now(toHost("cuMemcpyDtoH", dst, src))
}
func (c *context) CopyDtoD(dst, src driver.DevicePtr, n uint64) error {
	return c.now(onDevice("cuMemcpyDtoD", dst, src, n))
}
func (c *context) CopyHtoDAsync(dst driver.DevicePtr, src []byte, s driver.Stream) error {
	return c.async(toDevice("cuMemcpyHtoDAsync", dst, src), s)
}
func (c *context) CopyDtoHAsync(dst []byte, src driver.DevicePtr, s driver.Stream) error {
	return c.async(toHost("cuMemcpyDtoHAsync", dst, src), s)
}
func (c *context) CopyDtoDAsync(dst, src driver.DevicePtr, n uint64, s driver.Stream) error {
	return c.async(onDevice("cuMemcpyDtoDAsync", dst, src, n), s)
}

func (c *context) CopyPeerAsync(dst, src driver.DevicePtr, from driver.Context, n uint64, s driver.Stream) error {
	const call = "cuMemcpyPeerAsync"
	other, ok := from.(*context)
	if !ok {
		return fail(call, driver.ErrorInvalidContext, "the source context is of another driver")
	}
	if other == c {
		return c.async(onDevice(call, dst, src, n), s)
	}
	st, err := c.stream(call, s)
	if err != nil {
		return err
	}
	if err := other.enter(call); err != nil {
		return err
	}
	if st.capturing() != nil {
		return st.notCaptured(call)
	}
	st.submit(func(_ gocontext.Context, o *op) error {
		c.queue.count(o, 1) // an interrupt does not wait for the other context
		other.queue.drain()
		c.queue.count(o, -1)
		if err := c.memory.CopyFrom(uint64(dst), other.memory, uint64(src), n); err != nil {
			return memoryError(call, err)
		}
		return nil
	})
	return nil
}

// fills makes a one-row fill.
func (c *context) fills(call string, dst driver.DevicePtr, value, size uint32, count uint64) (transfer, error) {
	if uint64(dst)%uint64(size) != 0 {
		return transfer{}, fail(call, driver.ErrorInvalidValue, "the address %s is not a multiple of %d", dst, size)
	}
	if count > 1<<46 {
		return transfer{}, fail(call, driver.ErrorInvalidValue, "%d elements", count)
	}
	p := driver.MemsetNodeParams{Dst: dst, Value: value, ElementSize: size, Width: count, Height: 1}
	touches := [][2]uint64{{uint64(dst), count * uint64(size)}}
	return transfer{call: call, node: &node{kind: driver.GraphNodeMemset, fill: p}, touches: touches}, nil
}

func (c *context) fillNow(call string, dst driver.DevicePtr, value, size uint32, count uint64) error {
	t, err := c.fills(call, dst, value, size, count)
	if err != nil {
		return err
	}
	return c.now(t)
}

func (c *context) fillAsync(call string, dst driver.DevicePtr, value, size uint32, count uint64,
	s driver.Stream) error {
	t, err := c.fills(call, dst, value, size, count)
	if err != nil {
		return err
	}
	return c.async(t, s)
}

func (c *context) MemsetD8(dst driver.DevicePtr, v uint8, count uint64) error {
	return c.fillNow("cuMemsetD8", dst, uint32(v), 1, count)
}
func (c *context) MemsetD16(dst driver.DevicePtr, v uint16, count uint64) error {
	return c.fillNow("cuMemsetD16", dst, uint32(v), 2, count)
}
func (c *context) MemsetD32(dst driver.DevicePtr, v uint32, count uint64) error {
	return c.fillNow("cuMemsetD32", dst, v, 4, count)
}
func (c *context) MemsetD8Async(dst driver.DevicePtr, v uint8, count uint64, s driver.Stream) error {
	return c.fillAsync("cuMemsetD8Async", dst, uint32(v), 1, count, s)
}
func (c *context) MemsetD16Async(dst driver.DevicePtr, v uint16, count uint64, s driver.Stream) error {
	return c.fillAsync("cuMemsetD16Async", dst, uint32(v), 2, count, s)
}
func (c *context) MemsetD32Async(dst driver.DevicePtr, v uint32, count uint64, s driver.Stream) error {
	return c.fillAsync("cuMemsetD32Async", dst, v, 4, count, s)
}

// transfer does what a copy or fill node says.
func (n *node) transfer(c *context, at place) error {
	if n.kind == driver.GraphNodeMemset {
		return n.runFill(c, c.doing(at, "a fill"))
	}
	d := c.doing(at, "a copy")
	if p := &n.copy; d != nil {
		if p.DstHost != nil {
			d.touchesHost(p.DstHost, p.Bytes, vm.TouchWrite)
		} else {
			d.touches(c.memory, p.Dst, p.Bytes, vm.TouchWrite)
		}
		if p.SrcHost != nil {
			d.touchesHost(p.SrcHost, p.Bytes, vm.TouchRead)
		} else {
			d.touches(c.memory, p.Src, p.Bytes, vm.TouchRead)
		}
	}
	p := &n.copy
	var err error
	switch {
	case p.Bytes == 0:
	case p.DstHost != nil && p.SrcHost != nil:
		copy(unsafe.Slice((*byte)(p.DstHost), p.Bytes), unsafe.Slice((*byte)(p.SrcHost), p.Bytes))
	case p.SrcHost != nil:
		err = c.memory.Write(uint64(p.Dst), unsafe.Slice((*byte)(p.SrcHost), p.Bytes))
	case p.DstHost != nil:
		err = c.memory.Read(unsafe.Slice((*byte)(p.DstHost), p.Bytes), uint64(p.Src))
	default:
		err = c.memory.Copy(uint64(p.Dst), uint64(p.Src), p.Bytes)
	}
	if err != nil {
		return memoryError("cuMemcpy", err)
	}
	return c.judge(d)
}

func (n *node) runFill(c *context, d *deed) error {
	p := &n.fill
	pattern := binary.LittleEndian.AppendUint32(nil, p.Value)[:p.ElementSize]
	for row := range p.Height {
		if err := c.memory.Fill(uint64(p.Dst)+row*p.Pitch, pattern, p.Width); err != nil {
			return memoryError("cuMemset", err)
		}
		d.touches(c.memory, p.Dst+driver.DevicePtr(row*p.Pitch), p.Width*uint64(p.ElementSize), vm.TouchWrite)
	}
	return c.judge(d)
}
