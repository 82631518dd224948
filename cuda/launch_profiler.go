package cuda

import (
	"os"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/nvtx"
)

// profiler is the NVTX library that is told of ranges; nil while nobody wants to know.
var profiler atomic.Pointer[nvtx.Library]

// ProfilerRanges says whether launches, dispatches and graphs are ranges for a profiler, by the
// names that errors have for them. They are by themselves in a process that a profiler started. The
// error is an *nvtx.NotFoundError.
func ProfilerRanges(on bool) error {
	if !on {
		profiler.Store(nil)
		return nil
	}
	lib, err := nvtx.Open()
	if err != nil {
		return wrap("ProfilerRanges", "", err)
	}
	profiler.Store(lib)
	return nil
}

// Profile is a range of the caller's own: it begins now and ends when the function is called.
// Without ProfilerRanges it is nothing.
//
//	defer cuda.Profile("load")()
func Profile(name string) (end func()) {
	r := startRange(name)
	return r.end
}

// lookForProfiler switches ranges on in a process that a profiler started.
var lookForProfiler = sync.OnceFunc(func() {
	if os.Getenv(nvtx.InjectionVariable) != "" {
		_ = ProfilerRanges(true) // without the library there is nobody to tell
	}
})

// A stretch is a range that has begun; the zero stretch is none.
type stretch struct {
	lib *nvtx.Library
	id  uint64
}

func startRange(name string) stretch {
	lib := profiler.Load()
	if lib == nil {
		return stretch{}
	}
	return stretch{lib, lib.Start(name)}
}

func (s stretch) end() {
	if s.lib != nil {
		s.lib.End(s.id)
	}
}
