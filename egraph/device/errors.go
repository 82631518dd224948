package device

import (
	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph/image"
)

// A UseError is a call that cannot be done with what it was given: nothing, or what was closed.
type UseError struct {
	Op, Reason string
}

func (e *UseError) Error() string { return "egraph/device: " + e.Op + ": " + e.Reason }

// given refuses a call without a device or an image.
func given(op string, dev *cuda.Device, m *image.Image) error {
	switch {
	case dev == nil:
		return &UseError{op, "the device is nil; cuda.Open gives one"}
	case m == nil || m.Slab == nil && m.Layout.Rows > 0:
		return &UseError{op, "the image is nil; EGraph.Image makes one"}
	}
	return nil
}

// usable refuses a Resident that is none, or no more.
func (r *Resident) usable(op string) error {
	switch {
	case r == nil || r.dev == nil:
		return &UseError{op, "there is nothing resident; NewResident brings an image to a device"}
	case r.closed:
		return &UseError{op, "it was closed; NewResident brings the image to the device again"}
	}
	return nil
}

// usable refuses Columns that are none, or no more.
func (c *Columns) usable(op string) error {
	switch {
	case c == nil || c.dev == nil:
		return &UseError{op, "there are no columns; Upload brings an image to a device"}
	case c.closed:
		return &UseError{op, "they were closed; Upload brings the image to the device again"}
	}
	return nil
}
