package join

import (
	"errors"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/faulty/faultytest"
)

// twoJoins joins in two classes, the second of which the output outgrows.
func twoJoins(drv driver.Driver) (err error) {
	dev, err := cuda.OpenDriver(drv, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	j, err := New(dev)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	for _, keys := range [][]uint32{{1, 2, 3, 2}, {5, 5, 5, 5, 5}} {
		rows, err := j.Inner(keys, keys)
		if err != nil {
			return err
		}
		if want := map[int]int{4: 6, 5: 25}[len(keys)]; len(rows) != want {
			return faultytest.ErrWrong
		}
	}
	return nil
}

// Every call of a join fails once, and the device is lost at every call: nothing leaks, hangs or comes out wrong.
func TestEveryCallMayFail(t *testing.T) { faultytest.EveryCall(t, twoJoins) }
