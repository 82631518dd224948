package native

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ebitengine/purego"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// libraryFolders are where drivers put libcuda.so.1 when the loader's own path does not have it:
// distributions, containers, WSL, NixOS.
var libraryFolders = []string{
	"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
	"/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib/wsl/lib", "/run/opengl-driver/lib",
}

const libraryName = "libcuda.so.1"

// A LibraryError says that no driver library could be opened, and where it was looked for.
type LibraryError struct {
	// Attempts has one entry a name tried, with the loader's answer.
	Attempts []Attempt
}

// An Attempt is one name given to the loader.
type Attempt struct{ Name, Reason string }

func (e *LibraryError) Error() string {
	var b strings.Builder
	b.WriteString("the NVIDIA driver library was not found; tried")
	for _, a := range e.Attempts {
		fmt.Fprintf(&b, "\n  %s: %s", a.Name, a.Reason)
	}
	b.WriteString("\nWhat to do: install the NVIDIA driver, or put its folder in LD_LIBRARY_PATH; without a GPU use " +
		"cuda.Open(\"emulated\")")
	return b.String()
}

// Is lets a missing library count as a machine without a device.
func (e *LibraryError) Is(target error) bool { return target == driver.ErrorNoDevice }

// A library is an opened libcuda with the addresses of the symbols used so far.
type library struct {
	handle  uintptr
	path    string
	version atomic.Int64 // of the driver, 0 until it was asked
	addrs   [symbolCount]atomic.Uintptr
}

// openLibrary opens the first of the names that the loader accepts.
func openLibrary(names []string) (*library, error) {
	failed := &LibraryError{}
	for _, name := range names {
		handle, err := dlopen(name)
		if err == nil {
			return &library{handle: handle, path: name}, nil
		}
		failed.Attempts = append(failed.Attempts, Attempt{Name: name, Reason: err.Error()})
	}
	return nil, failed
}

// dlopen stays on one thread: why a library did not open is told to the thread that tried.
func dlopen(name string) (uintptr, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
}

// libraryNames lists what to try, in order: the loader's path, then folders that exist.
func libraryNames() []string {
	names := []string{libraryName}
	for _, folder := range libraryFolders {
		path := filepath.Join(folder, libraryName)
		if _, err := os.Stat(path); err == nil {
			names = append(names, path)
		}
	}
	return names
}

// shared is the process's one libcuda: the library keeps process-wide state, so there is never a
// second one.
var shared struct {
	once sync.Once
	lib  *library
	err  error
}

func sharedLibrary() (*library, error) {
	shared.once.Do(func() { shared.lib, shared.err = openLibrary(libraryNames()) })
	return shared.lib, shared.err
}
