package machine

import (
	"iter"
	"reflect"
)

// apart runs body on a goroutine of its own and gives what that finishes with, before it ends. A go
// statement wakes a thread, which looks for work beside this one and finds none: a tenth of the
// time of a short cell. A coroutine is switched to and back.
//
// A coroutine must not end locked to its thread, as a goroutine may (the thread then ends with it):
// cells that name runtime.LockOSThread have go statements.
func (v *Machine) apart(body func(finish func(error))) (err error) {
	if v.locksThreads.Load() {
		done := make(chan error, 1)
		go body(func(err error) { done <- err })
		return <-done
	}
	resume, stop := iter.Pull(func(yield func(struct{}) bool) {
		body(func(failed error) {
			if err = failed; err != nil {
				yield(struct{}{})
			}
		})
	})
	// it may be about to end by runtime.Goexit, which stop and resume pass on to who calls them
	if _, waits := resume(); waits {
		go stop()
	}
	return err
}

// noting looks symbols up, and notes when cells can lock threads.
func (v *Machine) noting(lookup func(path, name string) (reflect.Value, bool)) func(path, name string) (reflect.Value,
	bool) {
	return func(path, name string) (reflect.Value, bool) {
		if path == "runtime" && name == "LockOSThread" {
			v.locksThreads.Store(true)
		}
		return lookup(path, name)
	}
}
