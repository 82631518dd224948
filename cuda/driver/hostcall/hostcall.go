// Package hostcall runs the Go functions of streams and graphs for the drivers: a panic in one is
// an error, and the calls that one makes can be refused.
package hostcall

import (
	"bytes"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// Run calls a host function on a goroutine of its own, so that neither a panic nor runtime.Goexit
// goes further, and waits for it. The error is nil or a *driver.HostFunctionError.
func Run(fn func()) error {
	done := make(chan error, 1)
	running.Add(1)
	go func() {
		id, returned := Goroutine(), false
		goroutines.Store(id, nil)
		defer func() {
			value := recover()
			goroutines.Delete(id)
			running.Add(-1)
			if value == nil && returned {
				done <- nil
				return
			}
			done <- &driver.HostFunctionError{Value: value, Stack: string(debug.Stack())}
		}()
		fn()
		returned = true
	}()
	return <-done
}

var (
	running    atomic.Int64 // host functions
	goroutines sync.Map     // that run them, by their names
)

// Inside reports whether the calling goroutine runs a host function. It costs next to nothing while
// there is none.
func Inside() bool {
	if running.Load() == 0 {
		return false
	}
	_, in := goroutines.Load(Goroutine())
	return in
}

// Goroutine names the calling goroutine, as the head of its stack does.
func Goroutine() string {
	var buf [64]byte
	head := buf[:runtime.Stack(buf[:], false)]
	if i := bytes.IndexByte(head, '['); i > 0 {
		head = head[:i]
	}
	return string(head)
}
