package native

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// An event is a CUevent.
type event struct {
	ctx    *context
	handle handle
}

func (e *event) Handle() uintptr { return e.handle.v.Load() }

// hotPair makes a hot call with a handle and a stream.
func (c *context) hotPair(s symbol, first uintptr, st *stream, h uintptr) error {
	k := ccall{args: [11]uintptr{first, h}}
	if st.legacy {
		return c.boundCall(s, k.args[:2])
	}
	return c.hotCall(s, &k, 2)
}

func (e *event) Record(st driver.Stream) error {
	own, sh, err := e.ctx.mine(cuEventRecord, st)
	if err != nil {
		return err
	}
	h, err := e.handle.get(cuEventRecord)
	if err != nil {
		return err
	}
	return e.ctx.hotPair(cuEventRecord, h, own, sh)
}

func (e *event) on(s symbol) error {
	h, err := e.handle.get(s)
	if err != nil {
		return err
	}
	return e.ctx.call(s, h)
}

func (e *event) Synchronize() error {
	return e.ctx.waited(cuEventSynchronize, e.on(cuEventSynchronize))
}

func (e *event) Query() error { return e.on(cuEventQuery) }

func (e *event) ElapsedMilliseconds(since driver.Event) (float32, error) {
	from, err := e.ctx.myEvent(cuEventElapsedTime, since)
	if err != nil {
		return 0, err
	}
	to, err := e.handle.get(cuEventElapsedTime)
	if err != nil {
		return 0, err
	}
	var ms float32
	err = e.ctx.call(cuEventElapsedTime, uintptr(unsafe.Pointer(&ms)), from, to)
	return ms, err
}

func (e *event) Destroy() error {
	h, err := e.handle.take(cuEventDestroy)
	if err != nil {
		return err
	}
	return e.ctx.call(cuEventDestroy, h)
}
