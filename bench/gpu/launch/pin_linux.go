package main

import "golang.org/x/sys/unix"

// pin keeps the calling thread on a core.
func pin(core int) error {
	var one unix.CPUSet
	one.Set(core)
	return unix.SchedSetaffinity(0, &one)
}
