// Package leaktest makes a test binary fail when its tests leave goroutines or file descriptors
// behind.
package leaktest

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// patience is how long what is ending may take to end.
const patience = 5 * time.Second

// Run runs the tests and returns the exit status: 1 also where goroutines are left whose stack
// holds one of packages, or more descriptors are open than before. A stack that holds one of
// packages with a ! before it does not count.
func Run(m *testing.M, packages ...string) int {
	before := Descriptors()
	status := m.Run()
	if status != 0 {
		return status
	}
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		runtime.GC() // closes files that nobody holds
		left := goroutines(packages)
		more := Descriptors() - before
		if len(left) == 0 && more <= 0 {
			return 0
		}
		if time.Now().After(end) {
			fmt.Fprintf(os.Stderr, "leaked: %d descriptors, %d goroutines\n\n%s\n", max(more, 0), len(left),
				strings.Join(left, "\n\n"))
			return 1
		}
	}
}

// Descriptors counts the open ones, without the poller's own, which stay once they are made; 0
// where the system does not tell.
func Descriptors() int {
	for _, folder := range []string{"/proc/self/fd", "/dev/fd"} {
		if entries, err := os.ReadDir(folder); err == nil {
			n := 0
			for _, e := range entries {
				if link, err := os.Readlink(folder + "/" + e.Name()); err == nil && (strings.HasPrefix(link, "anon_inode:") ||
					strings.HasPrefix(link, "/dev/nvidia")) { // which libcuda keeps open
					continue
				}
				n++
			}
			return n
		}
	}
	return 0
}

// goroutines returns the stacks that hold one of packages.
func goroutines(packages []string) (left []string) {
	b := make([]byte, 4<<20)
	b = b[:runtime.Stack(b, true)]
	_, others, _ := strings.Cut(string(b), "\n\n") // without this one
	for stack := range strings.SplitSeq(others, "\n\n") {
		if counts(stack, packages) {
			left = append(left, stack)
		}
	}
	return left
}

func counts(stack string, packages []string) (found bool) {
	for _, p := range packages {
		except, is := strings.CutPrefix(p, "!")
		if is && strings.Contains(stack, except) {
			return false
		}
		found = found || !is && strings.Contains(stack, p)
	}
	return found
}
