package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

const starts = 15

// measureStart times the kernel's worker: from the start of the process to the reply to its first
// cell, an empty one.
func measureStart(dir string) (times, error) {
	binary := filepath.Join(dir, "vyre-kernel")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary,
		"github.com/vyre-kernel/vyre-kernel/cmd/vyre-kernel")
	if report, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build of the kernel: %w\n%s", err, bytes.TrimSpace(report))
	}
	var all times
	for range starts + 1 {
		took, err := startOnce(binary)
		if err != nil {
			return nil, err
		}
		all = append(all, took)
	}
	return all[1:], nil // the first reads the binary from disk
}

func startOnce(binary string) (time.Duration, error) {
	begin := time.Now()
	s := supervise.New(supervise.Command{Path: binary, Args: []string{"worker"}}, silent{}, slog.New(slog.DiscardHandler))
	reply := s.Execute(context.Background(), nil, worker.ExecuteRequest{Number: 1})
	took := time.Since(begin)
	if err := s.Close(); err != nil {
		return 0, err
	}
	if reply.Error != nil {
		return 0, fmt.Errorf("the first cell of a worker: %s", reply.Error.Value)
	}
	return took, nil
}

// silent is a receiver of cells that say nothing.
type silent struct{}

func (silent) Sent(any)                                                 {}
func (silent) Stream(any, bool, []byte)                                 {}
func (silent) Display(any, worker.Display)                              {}
func (silent) ClearOutput(any, bool)                                    {}
func (silent) Comm(any, worker.CommEvent)                               {}
func (silent) Died(*supervise.DeathError)                               {}
func (silent) Input(context.Context, any, string, bool) (string, error) { return "", nil }
