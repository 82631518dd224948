package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A sample is what a process answers about one program.
type sample struct {
	cpu    time.Duration // of one call of work
	calls  int           // that the time is the mean of
	result string        // work's result; begins with "error" where the engine gave none
}

// A peer is a process that runs programs: a line with a name goes in, a line with a sample comes
// out.
type peer struct {
	name string
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
}

type peers struct {
	native, vm, yaegi *peer
	all               []*peer
	dir               string
	starts            []start
}

// A start is how a peer is started.
type start struct {
	to   **peer
	name string
	argv []string
}

// startPeers builds and starts the three processes.
func startPeers(names []string, yaegi bool) (p *peers, err error) {
	p = &peers{}
	defer func() {
		if err != nil {
			p.close()
		}
	}()
	if p.dir, err = os.MkdirTemp("", "cells"); err != nil {
		return nil, err
	}
	binary, err := buildNative(p.dir, names)
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p.starts = []start{{&p.native, "native", []string{binary}}, {&p.vm, "vm", []string{self, "-serve", "vm"}}}
	if yaegi {
		p.starts = append(p.starts, start{&p.yaegi, "yaegi", []string{self, "-serve", "yaegi"}})
	}
	return p, p.renew()
}

// renew starts the processes, anew where they run.
func (p *peers) renew() (err error) {
	p.end()
	for _, x := range p.starts {
		if *x.to, err = startPeer(x.name, x.argv); err != nil {
			return err
		}
		p.all = append(p.all, *x.to)
	}
	return nil
}

func startPeer(name string, argv []string) (*peer, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &peer{name, cmd, in, bufio.NewReader(out)}, cmd.Start()
}

// end ends the processes: their input ends.
func (p *peers) end() {
	for _, x := range p.all {
		_ = x.in.Close()
		_ = x.cmd.Wait() // a peer that failed has said so
	}
	p.all = nil
}

func (p *peers) close() {
	p.end()
	_ = os.RemoveAll(p.dir)
}

// ask sends a line and reads the answer.
func (p *peer) ask(line string) (string, error) {
	if _, err := fmt.Fprintln(p.in, line); err != nil {
		return "", fmt.Errorf("%s: %w", p.name, err)
	}
	answer, err := p.out.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("%s died at %s: %w", p.name, line, err)
	}
	return strings.TrimSuffix(answer, "\n"), nil
}

func (p *peer) time(program string) (sample, error) {
	answer, err := p.ask(program)
	if err != nil {
		return sample{}, err
	}
	var s sample
	head, result, _ := strings.Cut(answer, "\t")
	if _, err := fmt.Sscan(head, (*int64)(&s.cpu), &s.calls); err != nil {
		return sample{}, fmt.Errorf("%s: answer %q: %w", p.name, answer, err)
	}
	s.result = result
	return s, nil
}
