package nvtx

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// LibraryVariable is the environment variable that names the NVTX library to use, as a path.
const LibraryVariable = "VYRE_NVTX"

// InjectionVariable is what profilers set for the programs that they start: the library that is to
// be told of ranges.
const InjectionVariable = "NVTX_INJECTION64_PATH"

// libraryNames are the library of CUDA 12.8 and newer, and the one before it.
var libraryNames = []string{"libnvtx3interop.so.1", "libnvToolsExt.so.1"}

// A NotFoundError says that there is no NVTX library here, and what was tried.
type NotFoundError struct {
	Tried []string
}

func (e *NotFoundError) Error() string {
	return "NVTX was not found; tried " + strings.Join(e.Tried, ", ") +
		"\nWhat to do: pip install nvidia-nvtx, or set CUDA_HOME or " + LibraryVariable
}

// A Library is an opened NVTX library.
type Library struct {
	// Path is where it was found; a bare name is for the loader to find.
	Path       string
	start, end uintptr
}

// Open opens the first library that is found: what LibraryVariable names, then the wheels of the
// Python environment, the toolkit, the loader's path.
func Open() (*Library, error) {
	failed := &NotFoundError{}
	for _, path := range candidates() {
		if lib, err := open(path); err == nil {
			return lib, nil
		}
		failed.Tried = append(failed.Tried, path)
	}
	return nil, failed
}

func candidates() []string {
	var list []string
	if path := os.Getenv(LibraryVariable); path != "" {
		list = append(list, path)
	}
	for _, name := range libraryNames {
		for _, prefix := range []string{os.Getenv("VIRTUAL_ENV"), os.Getenv("CONDA_PREFIX")} {
			for _, folder := range []string{"cu13/lib", "nvtx/lib"} {
				if prefix == "" {
					continue
				}
				// the pattern is well-formed
				found, _ := filepath.Glob(filepath.Join(prefix, "lib/python3*/site-packages/nvidia", folder, name))
				list = append(list, found...)
			}
		}
		if home := os.Getenv("CUDA_HOME"); home != "" {
			list = append(list, filepath.Join(home, "lib64", name))
		}
		list = append(list, name)
	}
	return list
}

func open(path string) (*Library, error) {
	runtime.LockOSThread() // why a library did not open is told to the thread that tried
	defer runtime.UnlockOSThread()
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	lib := &Library{Path: path}
	if lib.start, err = purego.Dlsym(handle, "nvtxRangeStartA"); err != nil {
		return nil, err
	}
	lib.end, err = purego.Dlsym(handle, "nvtxRangeEnd")
	return lib, err
}

// Start begins a range and gives its id. What is behind a zero byte in the name is left out.
func (l *Library) Start(name string) uint64 {
	text := append([]byte(name), 0)
	id, _, _ := purego.SyscallN(l.start, uintptr(unsafe.Pointer(&text[0])))
	runtime.KeepAlive(text)
	return uint64(id)
}

// End ends a range.
func (l *Library) End(id uint64) { _, _, _ = purego.SyscallN(l.end, uintptr(id)) }
