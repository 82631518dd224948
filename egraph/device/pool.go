package device

import (
	"errors"
	"math/bits"

	"github.com/vyre-kernel/vyre-kernel/cuda"
)

// Capacities are how much a device holds of each; nothing is written past them.
type capacities struct {
	rows, ids, slots, buckets int
	tasks, records            int
}

// maxIDs bounds ids, rows and atoms by what a key has room for.
const maxIDs = 1<<idBits - 1

// slotsFor is a table that so many rows fill at most to 3/4.
func slotsFor(rows int) int { return max(1024, 1<<bits.Len(uint(rows/3*4+4))) }

// Words a unit of capacity takes: a row its key and class in both pools and its slots, an id its parent, its
// place in the list of classes and whether it is a pair's.
const (
	rowBytes  = 2*(8+4) + 8*3
	idBytes   = 4 + 2*4
	taskBytes = 16
)

// pool is the device memory of a saturation.
type pool struct {
	dev *cuda.Device
	all []**cuda.Buffer

	state, program, tables, stats, reports *cuda.Buffer
	keys, classes                          [2]*cuda.Buffer
	parent, roots, buckets, table          *cuda.Buffer
	tasks, records                         *cuda.Buffer
}

// remake gives a buffer n elements, and keeps the first `kept`.
func (p *pool) remake(b **cuda.Buffer, zero any, n, kept int) error {
	made, err := p.dev.Make(max(n, 1), zero)
	if err != nil {
		return err
	}
	old := *b
	*b = made
	if old == nil {
		p.all = append(p.all, b)
		return nil
	}
	if kept > 0 {
		switch zero.(type) {
		case uint64:
			err = moveOver[uint64](made, old, kept)
		default:
			err = moveOver[uint32](made, old, kept)
		}
	}
	return errors.Join(err, old.Close())
}

// moveOver copies the first n elements by way of the host: growing is rare.
func moveOver[T any](to, from *cuda.Buffer, n int) error {
	values := make([]T, n)
	if err := from.Read(0, values); err != nil {
		return err
	}
	return to.Write(0, values)
}

func (p *pool) free() error {
	var all []error
	for _, b := range p.all {
		if *b != nil {
			all = append(all, (*b).Close())
		}
	}
	return errors.Join(all...)
}
