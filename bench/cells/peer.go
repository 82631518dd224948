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

// A peer is a process that runs programs: a line with a name goes in, a line with a sample comes out.
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
	for _, x := range []struct {
		to   **peer
		name string
		argv []string
	}{{&p.native, "native", []string{binary}}, {&p.vm, "vm", []string{self, "-serve", "vm"}}, {&p.yaegi, "yaegi", []string{self, "-serve", "yaegi"}}} {
		if x.to == &p.yaegi && !yaegi {
			continue
		}
		if *x.to, err = startPeer(x.name, x.argv); err != nil {
			return nil, err
		}
		p.all = append(p.all, *x.to)
	}
	return p, nil
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

// close ends the processes: their input ends.
func (p *peers) close() {
	for _, x := range p.all {
		_ = x.in.Close()
		_ = x.cmd.Wait() // a peer that failed has said so
	}
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
