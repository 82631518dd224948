// Command fuzzprograms writes random Go programs, runs each as compiled Go and on the engines, and says where they differ. A difference is
// made small and kept as a program of the corpus (-keep), and the exit status is 1.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/conformance/differ"
	"github.com/vyre-kernel/vyre-kernel/interp/conformance/progen"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/enginetest"
)

type options struct {
	duration time.Duration
	seed     uint64
	batch    int
	tries    int
	engines  string
	keep     string
	findings int
}

func main() {
	var o options
	flag.DurationVar(&o.duration, "time", 20*time.Second, "how long to go on")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().Unix())<<20, "the first program's seed")
	flag.IntVar(&o.batch, "batch", 50, "how many programs to compile into one binary")
	flag.IntVar(&o.tries, "tries", 300, "how many smaller programs to try for a finding")
	flag.StringVar(&o.engines, "engines", "vm,yaegi", "the engines to run on; all but the first may refuse")
	flag.StringVar(&o.keep, "keep", "", "write findings into this folder")
	flag.IntVar(&o.findings, "findings", 10, "stop after so many findings")
	engineName := flag.String("engine", "vm", "with -execute: the engine to run on")
	execute := flag.String("execute", "", "run this one program here, on this process's standard streams")
	show := flag.Uint64("print", 0, "print the program of this seed and stop")
	flag.Parse()
	switch {
	case *execute != "":
		newEngine := enginetest.Engines[*engineName]
		if newEngine == nil {
			fail(fmt.Errorf("no engine %q", *engineName))
		}
		os.Exit(conformance.ExecuteFile(conformance.On(newEngine), *execute, os.Stderr))
	case *show != 0:
		fmt.Print(progen.Program(*show))
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	n, err := run(ctx, o)
	if err != nil {
		fail(err)
	}
	if n > 0 {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "fuzzprograms:", err)
	os.Exit(2)
}

func run(ctx context.Context, o options) (found int, err error) {
	dir, err := os.MkdirTemp("", "fuzzprograms")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	h := differ.Hunt{Dir: dir, Batch: o.batch}
	for name := range strings.SplitSeq(o.engines, ",") {
		if enginetest.Engines[name] == nil {
			return 0, fmt.Errorf("no engine %q", name)
		}
		h.Engines = append(h.Engines, differ.Engine{Name: name, Command: []string{self, "-engine", name, "-execute"}})
	}
	figures := differ.Figures{Refused: map[string]int{}, Slow: map[string]int{}}
	limited, cancel := context.WithTimeout(ctx, o.duration)
	defer cancel()
	start := time.Now()
	for seed := o.seed; limited.Err() == nil && found < o.findings; seed += uint64(o.batch) {
		findings, err := h.From(limited, seed, &figures)
		if err != nil && limited.Err() == nil {
			return found, err
		}
		for _, f := range findings {
			found++
			if err := report(ctx, h, f, o); err != nil {
				return found, err
			}
		}
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		fmt.Println("interrupted")
	}
	fmt.Printf("seeds from %d, %.0f s: %v\n", o.seed, time.Since(start).Seconds(), figures)
	return found, nil
}

// report makes a finding small, prints it, and keeps it.
func report(ctx context.Context, h differ.Hunt, f differ.Finding, o options) error {
	f = h.Minimise(ctx, f, o.tries)
	fmt.Printf("== seed %d on %s\n%s\n%s\n", f.Seed, f.Engine.Name, f.Source, f.Difference)
	if o.keep == "" {
		return nil
	}
	name := fmt.Sprintf("seed%d", f.Seed)
	p := conformance.Program{Theme: "found", Name: name, Source: f.Source, Want: f.Native}
	return os.WriteFile(filepath.Join(o.keep, name+"-"+f.Engine.Name+".txtar"), conformance.FormatTheme(p), 0o644)
}
