// Command fuzzprograms writes random Go programs, runs each as compiled Go and on the engines, and
// says where they differ. What does is made small and kept as a program of the corpus (-keep), and
// the exit status is 1.
//
// Beside this binary it needs a Go distribution and nothing else, neither the repository nor a
// network, a module cache or a home directory:
//
//	fuzzprograms -go /somewhere/go/bin/go -cache /somewhere/cache -parallel 16 -time 8m -keep /somewhere/found
//
// What differs from compiled Go, or is not over in time, is run again alone and with a longer limit
// before it counts, so that no verdict rests on how busy the machine is. Programs that an engine of
// those that must execute all (the first) does not end are kept as well.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/conformance/differ"
	"github.com/vyre-kernel/vyre-kernel/interp/conformance/progen"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/enginetest"
)

type options struct {
	duration  time.Duration
	seed      uint64
	batch     int
	tries     int
	parallel  int
	engines   string
	keep      string
	findings  int
	toolchain differ.Toolchain
	limits    differ.Limits
}

func main() {
	var o options
	flag.DurationVar(&o.duration, "time", 20*time.Second, "how long to go on")
	flag.Uint64Var(&o.seed, "seed", uint64(time.Now().Unix())<<20, "the first program's seed")
	flag.IntVar(&o.batch, "batch", 50, "how many programs to compile into one binary")
	flag.IntVar(&o.tries, "tries", 300, "how many smaller programs to try for a finding")
	flag.IntVar(&o.parallel, "parallel", 1, "how many batches at a time")
	flag.StringVar(&o.engines, "engines", "vm,vm-cells,yaegi",
		"the engines to run on; all but vm may refuse; vm-cells runs a program as a cell a declaration, in which a type "+
			"may become another")
	flag.StringVar(&o.keep, "keep", "", "write findings into this folder")
	flag.IntVar(&o.findings, "findings", 10, "stop after so many findings")
	flag.StringVar(&o.toolchain.Go, "go", "",
		"the go command of the distribution to compile with; by default that of PATH")
	flag.StringVar(&o.toolchain.Cache, "cache", "",
		"a folder for what it compiles; with it, nothing outside is written or asked for")
	flag.DurationVar(&o.limits.First, "limit", 20*time.Second, "how long a program may take beside others")
	flag.DurationVar(&o.limits.Again, "again", 3*time.Minute, "how long one may take alone, that differed or was not over")
	engineName := flag.String("engine", "vm", "with -execute: the engine to run on")
	execute := flag.String("execute", "", "run this one program here, on this process's standard streams")
	cells := flag.Bool("cells", false, "with -execute: run it as a cell a declaration")
	show := flag.Uint64("print", 0, "print the program of this seed and stop")
	flag.Parse()
	switch {
	case *execute != "":
		newEngine := enginetest.Engines[*engineName]
		if newEngine == nil {
			fail(fmt.Errorf("no engine %q", *engineName))
		}
		run := conformance.ExecuteFile
		if *cells {
			run = conformance.ExecuteInCells
		}
		os.Exit(run(conformance.On(newEngine), *execute, os.Stderr))
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
