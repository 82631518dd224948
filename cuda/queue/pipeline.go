package queue

import (
	"fmt"
	"math"
	"regexp"

	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
)

// A Stage is one step of a pipeline: a function of one element.
type Stage struct {
	ID     uint32
	Layout uint64
	OnHost bool
	// Name is the function's, PTX its text:
	//
	//	.func (.param .f32 y) Name(.param .f32 x, .param .b32 i)
	//
	// with i the place of the element. Arithmetic should say how it rounds (mul.rn.f32): without, a
	// compiler may contract it over stages that are fused, and results differ in the last bit.
	Name string
	PTX  string
}

// A Pipeline is a chain of stages over N elements of float32, each reading what the one before it writes.
type Pipeline struct {
	Name   string
	N      int
	Stages []Stage
}

// A StageError says what is wrong with a stage.
type StageError struct {
	Pipeline, Stage, Reason string
}

func (e *StageError) Error() string {
	return fmt.Sprintf("queue: pipeline %s, stage %q: %s", e.Pipeline, e.Stage, e.Reason)
}

// Affine is the stage y = a x + b.
func Affine(id uint32, layout uint64, a, b float32) Stage {
	name := fmt.Sprintf("affine_%d", id)
	return Stage{ID: id, Layout: layout, Name: name, PTX: function(name, fmt.Sprintf(
		"\tfma.rn.f32 %%f2, %%f1, 0f%08X, 0f%08X;\n", math.Float32bits(a), math.Float32bits(b)))}
}

// Square is the stage y = x x.
func Square(id uint32, layout uint64) Stage {
	name := fmt.Sprintf("square_%d", id)
	return Stage{ID: id, Layout: layout, Name: name, PTX: function(name, "\tmul.rn.f32 %f2, %f1, %f1;\n")}
}

// function wraps a body that makes %f2 of %f1.
func function(name, body string) string {
	return ".func (.param .f32 y) " + name + "(.param .f32 x, .param .b32 i)\n{\n\t.reg .f32 %f<3>;\n\tld.param.f32 %f1, [x];\n" +
		body + "\tst.param.f32 [y], %f2;\n\tret;\n}\n"
}

// PlanStages are the stages as planners see them: inputs and outputs of four bytes an element.
func (p Pipeline) PlanStages() []plan.Stage {
	bytes := 4 * uint64(max(p.N, 0))
	out := make([]plan.Stage, len(p.Stages))
	for i, s := range p.Stages {
		out[i] = plan.Stage{ID: s.ID, Layout: s.Layout, Input: bytes, Output: bytes, OnHost: s.OnHost}
	}
	return out
}

// Plan plans the launches greedily, PlanDataflow by the edges of the chain.
func (p Pipeline) Plan(budget uint64) (plan.FusionPlan, error) {
	return plan.LaunchFusion(p.PlanStages(), budget)
}

// PlanDataflow plans the launches by the edges of the chain.
func (p Pipeline) PlanDataflow(budget uint64) (plan.FusionPlan, error) {
	stages := p.PlanStages()
	return plan.DataflowFusion(stages, plan.Chain(stages), budget)
}

var identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_$]*$`)

// check refuses what cannot be executed, and plans that are not of this pipeline.
func (p Pipeline) check(f plan.FusionPlan, input []float32) error {
	if len(p.Stages) == 0 || p.N < 1 {
		return &StageError{Pipeline: p.Name, Reason: fmt.Sprintf("%d stages over %d elements: at least one of each is needed", len(p.Stages), p.N)}
	}
	if p.N > math.MaxInt32 {
		return &StageError{Pipeline: p.Name, Reason: fmt.Sprintf("%d elements: a place has 32 bits", p.N)}
	}
	if len(input) != p.N {
		return &ItemError{Want: fmt.Sprintf("%d elements of input", p.N), Got: fmt.Sprint(len(input))}
	}
	names := map[string]bool{}
	for _, s := range p.Stages {
		if !identifier.MatchString(s.Name) || names[s.Name] {
			return &StageError{Pipeline: p.Name, Stage: s.Name, Reason: "names of functions are identifiers of PTX and differ"}
		}
		names[s.Name] = true
	}
	at := 0
	for _, g := range f.Groups {
		for _, id := range g.Stages {
			if at >= len(p.Stages) || p.Stages[at].ID != id {
				return &PlanError{Field: "groups", Want: "the stages of the pipeline in order", Got: fmt.Sprintf("stage %d at place %d", id, at)}
			}
			at++
		}
	}
	if at != len(p.Stages) {
		return &PlanError{Field: "groups", Want: fmt.Sprintf("all %d stages", len(p.Stages)), Got: fmt.Sprint(at)}
	}
	return nil
}
