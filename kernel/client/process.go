package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
)

// Options of a kernel process.
type Options struct {
	// Command starts the kernel; "{connection_file}" in it becomes the file's path.
	Command []string
	// Dir is its working folder; empty: this process's.
	Dir string
	// Stderr takes what it logs; nil: only errors quote it.
	Stderr io.Writer
}

// A Kernel is a kernel process with a client on it.
type Kernel struct {
	*Client
	process *exec.Cmd
	folder  string
	log     *tail
	ended   chan struct{}
	err     error // how the process ended, once ended is closed
}

// shutdownGrace is how long a kernel may take to end after it was asked to.
const shutdownGrace = 5 * time.Second

// Start starts a kernel and waits until it answers. Its sockets lie in a folder that only this user
// can enter. Errors: *StartError.
func Start(ctx context.Context, o Options) (*Kernel, error) {
	folder, err := os.MkdirTemp("", "vyre-")
	if err != nil {
		return nil, err
	}
	file := &connection.File{
		Transport: "ipc", IP: filepath.Join(folder, "k"), ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5,
		Key: connection.NewKey(), SignatureScheme: "hmac-sha256",
	}
	k := &Kernel{folder: folder, log: &tail{also: o.Stderr}, ended: make(chan struct{})}
	if err := k.launch(ctx, o, file); err != nil {
		_ = os.RemoveAll(folder)
		return nil, &StartError{Command: strings.Join(o.Command, " "), Output: k.log.String(), Err: err}
	}
	return k, nil
}

func (k *Kernel) launch(ctx context.Context, o Options, file *connection.File) error {
	path := filepath.Join(k.folder, "connection.json")
	if err := file.Write(path); err != nil {
		return err
	}
	arguments := make([]string, len(o.Command))
	for i, a := range o.Command {
		arguments[i] = strings.ReplaceAll(a, "{connection_file}", path)
	}
	k.process = exec.Command(arguments[0], arguments[1:]...)
	k.process.Dir, k.process.Stderr, k.process.Stdout = o.Dir, k.log, k.log
	k.process.WaitDelay = time.Second
	if err := k.process.Start(); err != nil {
		return err
	}
	connecting, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go func() {
		k.err = k.process.Wait()
		close(k.ended)
		stop(errors.New("its process ended: " + ending(k.err)))
	}()
	var err error
	if k.Client, err = Connect(connecting, file); err != nil {
		_ = k.process.Process.Kill()
		<-k.ended
		return err
	}
	go func() {
		<-k.ended
		k.cancel(&DiedError{Output: k.log.String(), Err: errors.New(ending(k.err))})
	}()
	return nil
}

func ending(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// Close asks the kernel to end, waits, and kills it where it does not.
func (k *Kernel) Close() error {
	ctx, stop := context.WithTimeout(context.Background(), shutdownGrace)
	defer stop()
	_ = k.Shutdown(ctx, false) // it may end before its reply is read
	select {
	case <-k.ended:
	case <-ctx.Done():
		_ = k.process.Process.Kill()
		<-k.ended
	}
	k.Client.Close()
	return os.RemoveAll(k.folder)
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
	also io.Writer
}

const tailBytes = 8 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text.Write(p)
	if extra := t.text.Len() - tailBytes; extra > 0 {
		t.text.Next(extra)
	}
	if t.also != nil {
		return t.also.Write(p)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(t.text.String())
}
