//go:build unix

package process

import (
	"os"
	"syscall"
	"time"

	"github.com/vyre-kernel/vyre-kernel/internal/descendants"
)

// maxTree bounds the processes that are reached.
const maxTree = 4096

// tree is a process and those that it and they started, as far as they are there.
func tree(root int) []int {
	all := []int{root}
	for i := 0; i < len(all) && len(all) < maxTree; i++ {
		all = append(all, descendants.Children(all[i])...)
	}
	return all
}

// signal reaches a process, which is not awaited yet, and its descendants. It comes first: what
// waits for one that was told goes on otherwise.
func signal(p *os.Process, s syscall.Signal) {
	all := tree(p.Pid)
	_ = p.Signal(s) // it may have ended, and so may they
	for _, pid := range all[1:] {
		_ = syscall.Kill(pid, s)
	}
}

// Interrupt is what Ctrl-C is in a terminal, to a process that has not been waited for, and to all
// that it started. Where it has not ended, which done tells by being closed or by a value, when the
// grace is over, they are killed.
func Interrupt[T any](p *os.Process, done <-chan T, grace time.Duration) {
	signal(p, syscall.SIGINT)
	t := time.NewTimer(grace)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
		signal(p, syscall.SIGKILL)
	}
}
