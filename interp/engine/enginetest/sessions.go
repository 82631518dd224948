package enginetest

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
)

//go:embed testdata/*.txtar
var testdata embed.FS

// A Step is one cell of a session and what it must do.
type Step struct {
	Source string
	Stdout string
	// Err must be part of the error's text; empty if there must be none.
	Err string
}

// A Scenario is a session of cells.
type Scenario struct {
	Name  string
	Steps []Step
}

// Scenarios reads testdata: a file is a scenario, its sections are cell, out and err, the latter
// two after the cell they belong to.
func Scenarios() ([]Scenario, error) {
	files, err := fs.Glob(testdata, "testdata/*.txtar")
	if err != nil {
		return nil, err
	}
	var all []Scenario
	for _, f := range files {
		text, err := testdata.ReadFile(f)
		if err != nil {
			return nil, err
		}
		scs, err := parseScenarios(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f, err)
		}
		all = append(all, scs...)
	}
	return all, nil
}

// parseScenarios reads sections named "scenario", "cell", "out", "err".
func parseScenarios(text []byte) (all []Scenario, err error) {
	for _, f := range txtar.Parse(text).Files {
		if name, ok := strings.CutPrefix(f.Name, "scenario "); ok {
			all = append(all, Scenario{Name: name})
			continue
		}
		if len(all) == 0 {
			return nil, fmt.Errorf("section %q before the first scenario", f.Name)
		}
		s := &all[len(all)-1]
		if f.Name == "cell" {
			s.Steps = append(s.Steps, Step{Source: string(f.Data)})
			continue
		}
		if len(s.Steps) == 0 {
			return nil, fmt.Errorf("scenario %s: section %q before the first cell", s.Name, f.Name)
		}
		step := &s.Steps[len(s.Steps)-1]
		switch f.Name {
		case "out":
			step.Stdout = string(f.Data)
		case "err":
			step.Err = strings.TrimSpace(string(f.Data))
		default:
			return nil, fmt.Errorf("scenario %s: section %q", s.Name, f.Name)
		}
	}
	return all, nil
}

// Sessions runs the scenarios.
func Sessions(t *testing.T, open conformance.Open, o Options) {
	scs, err := Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	for _, sc := range scs {
		t.Run(sc.Name, func(t *testing.T) { o.scenario(t, open, sc) })
	}
}

func (o Options) scenario(t *testing.T, open conformance.Open, sc Scenario) {
	s, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	for i, step := range sc.Steps {
		ctx, cancel := context.WithTimeout(t.Context(), conformance.Limit)
		out, err := conformance.Capture(func() error { return s.Cell(ctx, step.Source) })
		cancel()
		if o.MayRefuse && conformance.IsRefusal(err) && (step.Err == "" || !strings.Contains(err.Error(), step.Err)) {
			if o.Refused != nil {
				o.Refused(sc.Name, err)
			}
			return
		}
		if out != step.Stdout {
			t.Errorf("cell %d printed\n%s\nwant\n%s", i+1, out, step.Stdout)
		}
		switch {
		case step.Err == "" && err != nil:
			t.Fatalf("cell %d: %v", i+1, err)
		case step.Err != "" && (err == nil || !strings.Contains(err.Error(), step.Err)):
			t.Errorf("cell %d: error %v, want %q in it", i+1, err, step.Err)
		}
	}
}
