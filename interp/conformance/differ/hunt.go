package differ

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
	"github.com/vyre-kernel/vyre-kernel/interp/conformance/progen"
)

// A Hunt compares the outcomes of generated programs.
type Hunt struct {
	// Engines are compared with native code; the first must execute every program, the others may refuse.
	Engines []Engine
	// Dir is scratch.
	Dir string
	// Batch is how many programs are compiled into one binary.
	Batch int
}

// Figures are what a hunt has seen.
type Figures struct {
	Programs, Statements, Unfinished int
	Refused, Slow                    map[string]int // by engine
	Mismatches                       int
}

func (f Figures) String() string {
	s := fmt.Sprintf("%d programs, %d statements, %d mismatches", f.Programs, f.Statements, f.Mismatches)
	for name, n := range f.Refused {
		s += fmt.Sprintf(", %d refused by %s", n, name)
	}
	for name, n := range f.Slow {
		s += fmt.Sprintf(", %d not over in %s on %s", n, Limit, name)
	}
	if f.Unfinished > 0 {
		s += fmt.Sprintf(", %d that native code does not end", f.Unfinished)
	}
	return s
}

// A Finding is a program on which an engine and native code differ.
type Finding struct {
	Seed       uint64
	Engine     Engine
	Source     string
	Native     conformance.Outcome
	Difference string
}

// From compares the programs of the seeds from first on, a batch, and adds to f.
func (h Hunt) From(ctx context.Context, first uint64, f *Figures) ([]Finding, error) {
	sources := make([]string, h.Batch)
	for i := range sources {
		sources[i] = progen.Program(first + uint64(i))
	}
	natives, err := Native(ctx, filepath.Join(h.Dir, "native"), sources)
	if bad := (*BuildError)(nil); errors.As(err, &bad) {
		return nil, fmt.Errorf("seeds from %d: %w", first, h.blame(first, bad))
	}
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for i, src := range sources {
		f.Programs++
		f.Statements += statements(src)
		if natives[i].Failed != "" {
			f.Unfinished++
		}
		findings = append(findings, h.compare(ctx, first+uint64(i), src, natives[i], f)...)
		if ctx.Err() != nil {
			return findings, ctx.Err()
		}
	}
	f.Mismatches += len(findings)
	return findings, nil
}

func (h Hunt) compare(ctx context.Context, seed uint64, src string, native Answer, f *Figures) (findings []Finding) {
	for k, e := range h.Engines {
		got := e.Run(ctx, h.Dir, src)
		if got.Refused != "" {
			f.Refused[e.Name]++
		}
		if got.Failed != "" {
			f.Slow[e.Name]++
		}
		if d := Difference(got, native, k > 0); d != "" && ctx.Err() == nil {
			findings = append(findings, Finding{Seed: seed, Engine: e, Source: src, Native: native.Outcome, Difference: d})
		}
	}
	return findings
}

var inBatch = regexp.MustCompile(`(?m)^(\d+)/`)

// blame names the seed of the program that the compiler did not take: the generator's mistake, or a program that only check takes.
func (h Hunt) blame(first uint64, bad *BuildError) error {
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
