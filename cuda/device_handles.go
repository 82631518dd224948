package cuda

import "github.com/vyre-kernel/vyre-kernel/cuda/driver"

// Handles of the driver API, for programs that mix this package with others that call libcuda: each is good for as
// long as what it is of. An emulated device has none.

// raw is a handle of the native driver.
func (d *Device) raw(op string, thing interface{ Handle() uintptr }) (uintptr, error) {
	if d.Emulated() {
		return 0, &Error{Op: op, What: d.String(), Want: "a GPU", Got: "the emulated device, which has no handles of libcuda",
			Fix: `cuda.Open("native")`, code: driver.ErrorNotSupported}
	}
	return thing.Handle(), nil
}

// CUcontext is the device's context: the primary one.
func (d *Device) CUcontext() (uintptr, error) {
	const op = "Device.CUcontext"
	if err := d.checkOpen(op); err != nil {
		return 0, err
	}
	return d.raw(op, d.ctx)
}

// CUstream is the stream. What is recorded through it is not in a graph's books: the graph does not hold what that
// uses.
func (s *Stream) CUstream() (uintptr, error) {
	const op = "Stream.CUstream"
	if err := s.check(op); err != nil {
		return 0, err
	}
	return s.dev.raw(op, s.s)
}

// CUfunction is the kernel.
func (k *Kernel) CUfunction() (uintptr, error) {
	const op = "Kernel.CUfunction"
	if err := k.check(op); err != nil {
		return 0, err
	}
	return k.mod.dev.raw(op, k.fn)
}

// CUevent is the event.
func (e *Event) CUevent() (uintptr, error) {
	const op = "Event.CUevent"
	if err := e.check(op); err != nil {
		return 0, err
	}
	return e.dev.raw(op, e.e)
}

// CUgraphExec is what launches of the graph launch.
func (g *Graph) CUgraphExec() (uintptr, error) {
	const op = "Graph.CUgraphExec"
	if err := g.check(op); err != nil {
		return 0, err
	}
	return g.dev.raw(op, g.exec)
}
