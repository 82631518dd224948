package join

import (
	"github.com/vyre-kernel/vyre-kernel/cuda"
)

// Every exported call that returns an error has a Must form, for cells and for programs that end with it: the same
// name and parameters, the results but the error, which it panics with. Close and the forms that take a context
// have none. TestMust holds the package to that.

// MustInnerKey is InnerKey, and panics with its error.
func MustInnerKey(arity int, keyBytes, probe, output uint32) Key {
	return must(InnerKey(arity, keyBytes, probe, output))
}

// MustNew is New, and panics with its error.
func MustNew(dev *cuda.Device) *Joiner { return must(New(dev)) }

// MustInner is Inner, and panics with its error.
func (j *Joiner) MustInner(probe, build []uint32) []Row { return must(j.Inner(probe, build)) }

// must is for calls with a result, ok for those without.
func must[T any](v T, err error) T {
	ok(err)
	return v
}

func ok(err error) {
	if err != nil {
		panic(err)
	}
}
