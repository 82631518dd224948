// Command goroot runs the programs of the Go distribution's test directory that have a "// run"
// line, or the standard library's Example functions, on an engine, each in a process of its own,
// prints how many passed, were refused, were wrong, crashed or were not over, and compares with the
// list of those that are known not to pass: its exit status is 1 if there are others, if one of the
// list passes, or if a count that the list asks for does not hold. What the list calls slow is left
// to a run with -slow. With file names, it runs these.
//
// A program that is not over in time beside others has another try when all of them are over, alone
// and with a longer limit.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/enginetest"
)

type options struct {
	engine               string
	limit, alone         time.Duration
	workers, costly      int
	folder               string
	examples, list, slow bool
}

func main() {
	var o options
	flag.StringVar(&o.engine, "engine", "vm", "the engine to run on")
	flag.DurationVar(&o.limit, "limit", 2*time.Minute, "how long one program may take beside others")
	flag.DurationVar(&o.alone, "alone", 10*time.Minute,
		"how long one program may take alone, which was not over beside others")
	flag.IntVar(&o.workers, "workers", runtime.NumCPU(), "how many run at a time")
	flag.IntVar(&o.costly, "costly", 0, "print so many of the programs that took the most processor time")
	flag.StringVar(&o.folder, "folder", "", "run only files below this folder of the test directory")
	flag.BoolVar(&o.examples, "examples", false, "run the standard library's Example functions instead")
	flag.BoolVar(&o.list, "list", false, "print every program that does not pass, as lines of the list")
	flag.BoolVar(&o.slow, "slow", false, "run what the list calls slow, and nothing else")
	execute := flag.String("execute", "", "run this one program here, on this process's standard streams")
	flag.Parse()
	newEngine := enginetest.Engines[o.engine]
	if newEngine == nil {
		fail(fmt.Errorf("no engine %q", o.engine))
	}
	if *execute != "" {
		os.Exit(conformance.ExecuteFile(conformance.On(newEngine), *execute, os.Stderr))
	}
	faults, err := o.run(context.Background(), flag.Args())
	if err != nil {
		fail(err)
	}
	for _, f := range faults {
		fmt.Println(f)
	}
	if len(faults) > 0 {
		os.Exit(1)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "goroot:", err)
	os.Exit(2)
}

// run judges a suite's files, or those named, and returns what is not as the list says.
func (o options) run(ctx context.Context, named []string) ([]string, error) {
	scratch, err := os.MkdirTemp("", "goroot")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	s, err := o.suite(ctx, scratch)
	if err != nil {
		return nil, err
	}
	files := named
	if len(named) == 0 {
		files = o.chosen(s, o.slow)
	}
	results := s.judge.All(ctx, files)
	if left := len(o.chosen(s, true)); len(named) == 0 && !o.slow && left > 0 {
		fmt.Printf("%d are slow and left to a run with -slow\n", left)
	}
	o.print(s, results)
	faults := s.expected.Faults(results)
	if len(named) == 0 && o.folder == "" && !o.slow {
		faults = append(faults, s.expected.CountFaults(results, s.files)...)
	}
	return faults, nil
}

// chosen are the files below the folder that are slow, or are not.
func (o options) chosen(s *suite, slow bool) (files []string) {
	for _, f := range s.files {
		if strings.HasPrefix(f, o.folder) && s.expected.Slow(f) == slow {
			files = append(files, f)
		}
	}
	return files
}

func (o options) print(s *suite, results []conformance.Result) {
	for _, f := range s.folders {
		n := conformance.Count(results, f)
		fmt.Printf("%-32s %d passed, %d refused, %d wrong, %d crashed, %d not over\n", s.name+" "+f+" on "+o.engine,
			n[conformance.Passed],
			n[conformance.RefusedToRun], n[conformance.Wrong], n[conformance.Crashed], n[conformance.Unfinished])
	}
	for _, r := range results {
		if r.Alone {
			fmt.Printf("%s was not over beside others after %v; alone: %s, %.0f s of processor time\n", r.File, o.limit,
				r.Verdict, r.Processor.Seconds())
		}
		if o.list && r.Verdict != conformance.Passed {
			fmt.Println(r.File, r.Verdict, r.Detail)
		}
	}
	byCost := slices.SortedStableFunc(slices.Values(results), func(a, b conformance.Result) int {
		return int(b.Processor - a.Processor)
	})
	for _, r := range byCost[:min(o.costly, len(results))] {
		fmt.Printf("%s took %.1f s of processor time\n", r.File, r.Processor.Seconds())
	}
}
