package nvrtc

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// Every exported call that returns an error has a Must form, for cells and for programs that end with it: the same
// name and parameters, the results but the error, which it panics with. Close and the forms that take a context
// have none. TestMust holds the package to that.

// MustCompile is Compile, and panics with its error.
func MustCompile(source string, o Options) *Program { return must(Compile(source, o)) }

// MustFor is For, and panics with its error.
func MustFor(version driver.Version) *Compiler { return must(For(version)) }

// MustOpen is Open, and panics with its error.
func MustOpen(c Candidate) *Compiler { return must(Open(c)) }

// MustCompile is Compile, and panics with its error.
func (c *Compiler) MustCompile(source string, o Options) *Program { return must(c.Compile(source, o)) }

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
