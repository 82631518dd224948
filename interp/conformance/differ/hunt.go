package differ

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/conformance/progen"
)

// A Hunt compares the outcomes of generated programs.
type Hunt struct {
	// Engines are compared with native code.
	Engines   []Engine
	Toolchain Toolchain
	Limits    Limits
	// Batch is how many programs are compiled into one binary.
	Batch int

	floor floor
}

// A Finding is a program on which an engine and native code differ, or which an engine does not end
// in time.
type Finding struct {
	Seed       uint64
	Engine     Engine
	Verdict    Verdict
	Source     string
	Native     conformance.Outcome
	Difference string
}

// From compares the programs of the seeds from first on, a batch, with dir for scratch, and adds to
// f. Several may do so at a time, in dirs of their own. Findings are what is different, unsteady,
// or not over on an engine that must execute every program.
func (h *Hunt) From(ctx context.Context, dir string, first uint64, f *Figures) ([]Finding, error) {
	sources := make([]string, h.Batch)
	for i := range sources {
		sources[i] = progen.Program(first + uint64(i))
	}
	binary, err := h.Toolchain.Build(ctx, filepath.Join(dir, "native"), sources)
	if bad := (*BuildError)(nil); errors.As(err, &bad) {
		return nil, fmt.Errorf("seeds from %d: %w", first, h.blame(first, bad))
	}
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for i, src := range sources {
		found := h.compare(ctx, dir, first+uint64(i), src,
			func(limit time.Duration) Answer { return binary.Run(ctx, i, limit) }, f)
		if ctx.Err() != nil {
			return findings, ctx.Err()
		}
		findings = append(findings, found...)
		f.program(statements(src))
	}
	return findings, nil
}

func (h *Hunt) compare(ctx context.Context, dir string, seed uint64, src string, native func(time.Duration) Answer,
	f *Figures) (findings []Finding) {
	answer := h.floor.shared(func() Answer { return native(h.Limits.First) })
	for _, e := range h.Engines {
		v, d, compiled := h.settle(ctx, dir, e, src, native, answer)
		if answer = compiled; ctx.Err() != nil {
			return nil
		}
		f.verdict(e.Name, v)
		if v == Different || v == Unsteady || v == OverTime && !e.MayRefuse {
			findings = append(findings, Finding{Seed: seed, Engine: e, Verdict: v, Source: src, Native: compiled.Outcome,
				Difference: d})
		}
	}
	return findings
}

var inBatch = regexp.MustCompile(`(?m)^(\d+)/`)

// blame names the seed of the program that the compiler did not take: the generator's mistake, or a
// program that only check takes.
func (h *Hunt) blame(first uint64, bad *BuildError) error {
	m := inBatch.FindStringSubmatch(bad.Output)
	if m == nil {
		return bad
	}
	i, err := strconv.ParseUint(m[1], 10, 32)
	if err != nil {
		return bad
	}
	c, err := check.New(nil)
	if err != nil {
		return err
	}
	_, err = c.Check(1, progen.Program(first+i))
	return fmt.Errorf("seed %d does not compile: %w (package check says: %v)", first+i, bad, err)
}

// statements counts lines that are more than a brace.
func statements(src string) (n int) {
	for l := range strings.Lines(src) {
		if len(strings.Trim(l, "\t })\n")) > 0 {
			n++
		}
	}
	return n
}
