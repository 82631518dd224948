package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// How long a peer may take: to load its libraries and compile its kernel, and for one turn.
const (
	startTime = 90 * time.Second
	turnTime  = 20 * time.Second
)

// A peer is a process that makes calls when it is asked to.
type peer struct {
	name  string
	cmd   *exec.Cmd
	in    *os.File
	out   *os.File
	lines *bufio.Reader
	calls []string
	ended chan struct{} // closed when the process has ended, with err
	err   error
}

// start runs a command as a peer and waits until it is ready. A peer that cannot take part (its
// library is not installed) is an error.
func start(name, command, dir string, core int) (*peer, error) {
	p := &peer{name: name, ended: make(chan struct{})}
	for _, f := range []struct {
		name string
		to   **os.File
	}{{"in", &p.in}, {"out", &p.out}} {
		path := filepath.Join(dir, f.name)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		// For both ways, so that opening does not wait for the peer; without blocking, so that
		// deadlines hold.
		file, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
		if err != nil {
			return nil, err
		}
		*f.to = file
	}
	p.lines = bufio.NewReader(p.out)
	p.cmd = exec.Command("sh", "-c", "exec "+command)
	p.cmd.Env = append(os.Environ(), "TURNS="+dir, "CORE="+strconv.Itoa(core))
	var said strings.Builder
	p.cmd.Stdout, p.cmd.Stderr = &said, &said
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
		_ = p.out.SetReadDeadline(time.Now()) // whoever waits for its answer waits no more
	}()
	line, err := p.read(startTime)
	if err != nil {
		_ = p.cmd.Process.Kill()
		<-p.ended
		return nil, errors.Join(err, p.err, errors.New(lastLine(said.String())))
	}
	p.calls = strings.Split(line, "\t")
	return p, nil
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '\n')+1:]
}

func (p *peer) read(within time.Duration) (string, error) {
	if err := p.out.SetReadDeadline(time.Now().Add(within)); err != nil {
		return "", err
	}
	select {
	case <-p.ended:
		return "", errors.New("the process has ended")
	default:
	}
	line, err := p.lines.ReadString('\n')
	return strings.TrimSuffix(line, "\n"), err
}

func (p *peer) knows(call string) bool { return slices.Contains(p.calls, call) }

// turn asks for a number of calls; the answer is nanoseconds a call.
func (p *peer) turn(call string, calls int) (float64, error) {
	if _, err := fmt.Fprintf(p.in, "%d %s\n", calls, call); err != nil {
		return 0, fmt.Errorf("%s: %w", p.name, err)
	}
	line, err := p.read(turnTime)
	if err != nil {
		return 0, fmt.Errorf("%s at %s: %w", p.name, call, err)
	}
	ns, err := strconv.ParseFloat(line, 64)
	if err != nil {
		return 0, fmt.Errorf("%s at %s: answered %q: %w", p.name, call, line, err)
	}
	return ns, nil
}

// end ends the peer: an empty line, and a signal if that is not enough.
func (p *peer) end() {
	_, _ = fmt.Fprintln(p.in)
	select {
	case <-p.ended:
	case <-time.After(5 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
	_, _ = p.in.Close(), p.out.Close()
}
