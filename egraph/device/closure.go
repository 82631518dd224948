package device

import (
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/egraph/image"
)

// mostRows bounds what a closure on a device takes: rows, children, ids and pairs of unions.
const mostRows = 1 << 29

// Close finds the congruence closure of an image and of unions of its classes on a device, and reads
// it back. The image is not changed. Errors are *image.IntegrityError and *image.SizeError for an image
// that is not sound or too large, and those of cuda.
func Close(dev *cuda.Device, m *image.Image, unions []image.Pair) (*Result, error) {
	if err := given("Close", dev, m); err != nil {
		return nil, err
	}
	start := time.Now()
	r, err := NewResident(dev, m, unions)
	if err != nil {
		return nil, err
	}
	result := &Result{Device: dev.String(), Upload: time.Since(start)}
	if r.ids > 0 {
		result.Closure, result.Rounds, err = r.Fixpoint()
		start = time.Now()
		if err == nil {
			result.Parent = make([]uint32, r.named)
			err = r.parent.Read(0, result.Parent)
		}
		result.Download = time.Since(start)
	}
	if err = release(err, r.free); err != nil {
		return nil, err
	}
	return result, nil
}

// size gives the ids of an image, and refuses what the kernel cannot hold.
func size(m *image.Image, unions []image.Pair) (ids int, err error) {
	if groups := m.Column(image.GroupClasses); len(groups) > 0 {
		ids = int(groups[len(groups)-1]) + 1
	}
	for i, u := range unions {
		for _, id := range []uint32{u.Left, u.Right} {
			if len(m.Group(id)) == 0 {
				return 0, &image.IntegrityError{Context: "union", Row: i, Value: uint64(id), Reason: "no row is in this class"}
			}
		}
	}
	for _, c := range []struct {
		what string
		n    int
	}{{"rows", int(m.Layout.Rows)}, {"children", int(m.Layout.Children)}, {"ids", ids}, {"unions", len(unions)}} {
		if c.n > mostRows {
			return 0, &image.SizeError{What: c.what + " of a closure on a device", Count: uint64(c.n), Limit: mostRows}
		}
	}
	return ids, nil
}
