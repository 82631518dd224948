// Command goroot runs the programs of the Go distribution's test directory that have a "// run" line on an engine, each in a process of its own,
// prints how many passed, were refused, were wrong or crashed, and compares with the list of those that are known not to pass: its
// exit status is 1 if there are others, or if one of the list passes. With file names, it runs these.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/enginetest"
)

// What does not pass.
var (
	//go:embed known.txt
	knownText string
	//go:embed known-yaegi.txt
	knownYaegi string
	//go:embed examples.txt
	knownExamples string
	//go:embed examples-yaegi.txt
	knownExamplesYaegi string
)

func main() {
	engineName := flag.String("engine", "vm", "the engine to run on")
	limit := flag.Duration("limit", 2*time.Minute, "how long one program may take")
	workers := flag.Int("workers", runtime.NumCPU(), "how many run at a time")
	folder := flag.String("folder", "", "run only files below this folder of the test directory")
	examples := flag.Bool("examples", false, "run the standard library's Example functions instead")
	list := flag.Bool("list", false, "print every program that does not pass, as lines of the list")
	execute := flag.String("execute", "", "run this one program here, on this process's standard streams")
	flag.Parse()
	if *execute != "" {
		newEngine := enginetest.Engines[*engineName]
		if newEngine == nil {
			fail(fmt.Errorf("no engine %q", *engineName))
		}
		os.Exit(conformance.ExecuteFile(conformance.On(newEngine), *execute, os.Stderr))
	}
	j, err := judge(*engineName, *limit, *workers)
	if err != nil {
		fail(err)
	}
	judgeAll := run
	if *examples {
		judgeAll = runExamples
	}
	faults, err := judgeAll(context.Background(), j, *folder, flag.Args(), *list)
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

// judge runs this command itself, a process a program.
func judge(engineName string, limit time.Duration, workers int) (conformance.Judge, error) {
	self, err := os.Executable()
	return conformance.Judge{Command: []string{self, "-engine", engineName, "-execute"}, Limit: limit, Workers: workers}, err
}

func run(ctx context.Context, j conformance.Judge, folder string, files []string, list bool) (faults []string, err error) {
	if j.Dir, err = conformance.TestDir(ctx); err != nil {
		return nil, err
	}
	if len(files) == 0 {
		if files, err = conformance.RunFiles(j.Dir); err != nil {
			return nil, err
		}
	}
	results := j.All(ctx, below(files, folder))
	for _, f := range []string{"", "typeparam/"} {
		count(filepath.Join("test", f), results, f)
	}
	if slices.Contains(j.Command, "yaegi") {
		return compare(inTime(results), knownYaegi, list)
	}
	return compare(results, knownText, list)
}

// inTime leaves out what was not over: how much that is, of an interpreter, says how fast the machine is.
func inTime(results []conformance.Result) []conformance.Result {
	over := slices.DeleteFunc(slices.Clone(results), func(r conformance.Result) bool { return strings.HasPrefix(r.Detail, "not over after") })
	fmt.Printf("%d of them were not over in time\n", len(results)-len(over))
	return over
}

func compare(results []conformance.Result, text string, list bool) ([]string, error) {
	if list {
		print(results)
	}
	known, err := conformance.Known(text)
	if err != nil {
		return nil, fmt.Errorf("list of what does not pass: %w", err)
	}
	return conformance.Compare(results, known), nil
}

func runExamples(ctx context.Context, j conformance.Judge, folder string, files []string, list bool) ([]string, error) {
	dir, err := os.MkdirTemp("", "examples")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	j.Dir, j.WorkDirs, j.Env = dir, map[string]string{}, conformance.ExampleEnv()
	all, err := conformance.WriteExamples(ctx, dir)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		j.WorkDirs[e.File] = e.Source
	}
	if len(files) == 0 {
		files = slices.Sorted(maps.Keys(j.WorkDirs))
	}
	results := j.All(ctx, below(files, folder))
	count("examples", results, "")
	if slices.Contains(j.Command, "yaegi") {
		return compare(inTime(results), knownExamplesYaegi, list)
	}
	return compare(results, knownExamples, list)
}

func below(files []string, folder string) (chosen []string) {
	for _, f := range files {
		if strings.HasPrefix(f, folder) {
			chosen = append(chosen, f)
		}
	}
	return chosen
}

func count(what string, results []conformance.Result, folder string) {
	n := conformance.Count(results, folder)
	fmt.Printf("%-14s %d passed, %d refused, %d wrong, %d crashed\n", what,
		n[conformance.Passed], n[conformance.RefusedToRun], n[conformance.Wrong], n[conformance.Crashed])
}

func print(results []conformance.Result) {
	for _, r := range results {
		if r.Verdict != conformance.Passed {
			fmt.Println(r.File, r.Verdict, r.Detail)
		}
	}
}
