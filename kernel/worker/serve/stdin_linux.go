package serve

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/vyre-kernel/vyre-kernel/internal/descendants"
	"github.com/vyre-kernel/vyre-kernel/kernel/direct"
)

// maxReaders bounds the processes that are looked at.
const maxReaders = 64

// A stdinPipe is the process's descriptor 0. Sessions ask for input where they see that a cell
// wants it; what they cannot see (a library that was given os.Stdin in a struct, a child process
// that inherits it) reads this pipe, and waits. The system tells of such threads, and then the
// person is asked.
type stdinPipe struct {
	write *os.File
}

// openStdin makes descriptor 0 such a pipe; nil where the system does not tell what threads wait
// for: then it stays empty.
func openStdin() *stdinPipe {
	if _, err := os.ReadFile("/proc/thread-self/syscall"); err != nil {
		return nil
	}
	p := new(stdinPipe)
	if p.renew() != nil {
		return nil
	}
	return p
}

// renew puts an empty pipe at descriptor 0; those who read the one before get its end.
func (p *stdinPipe) renew() error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	if err = unix.Dup3(int(r.Fd()), 0, 0); err != nil {
		_, _ = r.Close(), w.Close()
		return err
	}
	_ = r.Close() // descriptor 0 is a copy
	if p.write != nil {
		_ = p.write.Close() // whoever reads the pipe before this one gets its end
	}
	p.write = w
	return nil
}

// forget drops what an earlier cell was given and did not read.
func (p *stdinPipe) forget() {
	if n, err := direct.Waiting(0); err == nil && n > 0 {
		_ = p.renew() // where it fails it stays
	}
}

// serve answers those who read while a cell runs and has its turn, until over is closed. From an
// interrupt, when ctx is done, they get the end of the input.
func (p *stdinPipe) serve(ctx context.Context, h *host, over <-chan struct{}, turn func() bool) {
	look := time.NewTicker(stdinPause)
	defer look.Stop()
	interrupted := ctx.Done()
	for {
		if turn() && p.wanted() {
			p.answer(ctx, h)
		}
		select {
		case <-over:
			if turn() && p.wanted() {
				_ = p.renew() // nobody will answer; where it fails they wait
			}
			return
		case <-interrupted:
			interrupted = nil
		case <-look.C:
		}
	}
}

// answer asks the person for a line; where there is none to be had, it is the end of the input.
func (p *stdinPipe) answer(ctx context.Context, h *host) {
	line, err := h.Input(ctx, "", false)
	if err == nil {
		_, err = p.write.WriteString(line + "\n")
	}
	if err != nil {
		_ = p.renew() // the old one is as good as none
	}
}

// wanted reports whether a thread of this process, or of one that it started, waits for the pipe.
func (p *stdinPipe) wanted() bool {
	if n, err := direct.Waiting(0); err != nil || n > 0 {
		return false
	}
	pipe, err := os.Readlink("/proc/self/fd/0")
	if err != nil {
		return false
	}
	return readBySomebody(pipe)
}

// readBySomebody reports whether this process, or one that it started, reads a pipe.
func readBySomebody(pipe string) bool {
	queue := []int{os.Getpid()}
	for i := 0; i < len(queue) && i < maxReaders; i++ {
		if reads(queue[i], pipe) {
			return true
		}
		queue = append(queue, descendants.Children(queue[i])...)
	}
	return false
}

// reads reports whether a thread of a process is in a read of the pipe, as its descriptor 0 or by
// another one (/dev/stdin is a file that can be opened).
func reads(pid int, pipe string) bool {
	folder := fmt.Sprintf("/proc/%d/fd/", pid)
	if !holds(folder, "0", pipe) && pid == os.Getpid() {
		return false // the usual case, in one look
	}
	call := []byte(fmt.Sprintf("%d 0x", unix.SYS_READ))
	for _, task := range descendants.Threads(pid) {
		b, err := os.ReadFile(task + "/syscall")
		if err != nil || !bytes.HasPrefix(b, call) {
			continue
		}
		hex, _, _ := strings.Cut(string(b[len(call):]), " ")
		if fd, err := strconv.ParseUint(hex, 16, 31); err == nil && holds(folder, strconv.FormatUint(fd, 10), pipe) {
			return true
		}
	}
	return false
}

// holds reports whether a descriptor of a folder of them is the pipe.
func holds(folder, fd, pipe string) bool {
	link, err := os.Readlink(folder + fd)
	return err == nil && link == pipe
}
