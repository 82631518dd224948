package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/conformance/differ"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/enginetest"
)

// A search is workers that take batches of seeds one after another.
type search struct {
	options
	hunt    differ.Hunt
	figures differ.Figures
	next    atomic.Uint64
	found   atomic.Int64
	print   sync.Mutex
}

// run searches until the time is over, or there are findings enough, and returns how many there
// are.
func run(ctx context.Context, o options) (int, error) {
	s := &search{options: o}
	if err := s.prepare(); err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "fuzzprograms")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	limited, cancel := context.WithTimeout(ctx, o.duration)
	defer cancel()
	var workers sync.WaitGroup
	errs := make([]error, max(o.parallel, 1))
	for i := range errs {
		workers.Go(func() {
			if errs[i] = s.work(limited, ctx, filepath.Join(dir, fmt.Sprint(i))); errs[i] != nil {
				cancel()
			}
		})
	}
	done := make(chan struct{})
	go s.tell(done)
	workers.Wait()
	close(done)
	if ctx.Err() != nil {
		fmt.Println("interrupted")
	}
	fmt.Printf("seeds from %d, %.0f s, %d findings: %v\n", o.seed, time.Since(start).Seconds(), s.found.Load(), &s.figures)
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return int(s.found.Load()), nil
}

// prepare finds the engines and makes the folders. Paths are made absolute, since the go command
// runs elsewhere.
func (s *search) prepare() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	s.hunt = differ.Hunt{Toolchain: s.toolchain, Limits: s.limits, Batch: s.batch}
	for _, path := range []*string{&s.hunt.Toolchain.Go, &s.hunt.Toolchain.Cache, &s.keep} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	for _, folder := range []string{s.hunt.Toolchain.Cache, s.keep} {
		if folder == "" {
			continue
		}
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
	}
	for name := range strings.SplitSeq(s.engines, ",") {
		engine, cells := strings.CutSuffix(name, "-cells")
		if enginetest.Engines[engine] == nil {
			return fmt.Errorf("no engine %q", name)
		}
		s.hunt.Engines = append(s.hunt.Engines, differ.Engine{Name: name, MayRefuse: engine == "yaegi" || cells,
			Command: []string{self, "-engine", engine, fmt.Sprintf("-cells=%t", cells), "-execute"}})
	}
	s.next.Store(s.seed)
	return nil
}

// work compares batches as long as limited lasts.
func (s *search) work(limited, ctx context.Context, dir string) error {
	for limited.Err() == nil && int(s.found.Load()) < s.findings {
		first := s.next.Add(uint64(s.batch)) - uint64(s.batch)
		findings, err := s.hunt.From(limited, dir, first, &s.figures)
		if err != nil && limited.Err() == nil {
			return err
		}
		for _, f := range findings {
			s.found.Add(1)
			if err := s.report(ctx, dir, f); err != nil {
				return err
			}
		}
	}
	return nil
}

// tell prints how far the search is every minute.
func (s *search) tell(done chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-time.After(time.Minute):
			s.print.Lock()
			fmt.Printf("%d findings: %v\n", s.found.Load(), &s.figures)
			s.print.Unlock()
		}
	}
}

// shrinking is how long a finding may be made smaller.
const shrinking = 2 * time.Minute

// report keeps a finding as it is, makes one small that differs, prints it and keeps that.
func (s *search) report(ctx context.Context, dir string, f differ.Finding) error {
	if err := s.write(f, "-whole"); err != nil {
		return err
	}
	if f.Verdict == differ.Different {
		limited, cancel := context.WithTimeout(ctx, shrinking)
		defer cancel()
		f = s.hunt.Minimise(limited, dir, f, s.tries)
	}
	s.print.Lock()
	defer s.print.Unlock()
	fmt.Printf("== seed %d on %s: %s\n%s\n%s\n", f.Seed, f.Engine.Name, f.Verdict, f.Source, f.Difference)
	return s.write(f, "")
}

func (s *search) write(f differ.Finding, suffix string) error {
	if s.keep == "" {
		return nil
	}
	name := fmt.Sprintf("seed%d", f.Seed)
	p := conformance.Program{Theme: "found", Name: name, Source: f.Source, Want: f.Native}
	file := fmt.Sprintf("%s-%s-%s%s.txtar", name, f.Engine.Name, strings.ReplaceAll(string(f.Verdict), " ", "-"), suffix)
	return os.WriteFile(filepath.Join(s.keep, file), conformance.FormatTheme(p), 0o644)
}
