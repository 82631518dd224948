package main

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
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

// A suite is a set of programs with what is expected of them.
type suite struct {
	name     string
	folders  []string // that are counted by themselves; "" is all
	files    []string
	judge    conformance.Judge
	expected *conformance.Expected
}

// suite finds the programs, and writes what they need into scratch.
func (o options) suite(ctx context.Context, scratch string) (*suite, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	j := conformance.Judge{Command: []string{self, "-engine", o.engine, "-execute"}, Limit: o.limit, Patience: o.alone,
		Workers: o.workers}
	open, lists := distribution, map[string]string{"vm": knownText, "yaegi": knownYaegi}
	if o.examples {
		open, lists = examples, map[string]string{"vm": knownExamples, "yaegi": knownExamplesYaegi}
	}
	s, err := open(ctx, j, scratch)
	if err != nil {
		return nil, err
	}
	if s.expected, err = conformance.ParseExpected(lists[o.engine]); err != nil {
		return nil, fmt.Errorf("list of what does not pass on %s: %w", o.engine, err)
	}
	return s, nil
}

func distribution(ctx context.Context, j conformance.Judge, scratch string) (*suite, error) {
	s := &suite{name: "programs", folders: []string{"", "typeparam/"}, judge: j}
	var err error
	if s.judge.Dir, err = conformance.TestDir(ctx); err != nil {
		return nil, err
	}
	if s.judge.Env, err = conformance.StandardImports(ctx, filepath.Join(scratch, "importcfg")); err != nil {
		return nil, err
	}
	s.files, err = conformance.RunFiles(s.judge.Dir)
	return s, err
}

func examples(ctx context.Context, j conformance.Judge, scratch string) (*suite, error) {
	s := &suite{name: "Examples", folders: []string{""}, judge: j}
	s.judge.Dir, s.judge.WorkDirs, s.judge.Env = scratch, map[string]string{}, conformance.ExampleEnv()
	all, err := conformance.WriteExamples(ctx, scratch)
	if err != nil {
		return nil, err
	}
	for _, e := range all {
		s.judge.WorkDirs[e.File] = e.Source
	}
	s.files = slices.Sorted(maps.Keys(s.judge.WorkDirs))
	return s, nil
}
