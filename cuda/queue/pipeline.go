package queue

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/plan"
)

// A Stage is one step of a pipeline: a function of one element of each result it reads.
type Stage struct {
	ID     uint32
	Layout uint64
	OnHost bool
	// From are the ids of the stages it reads, earlier ones, or Input. nil: the stage before it;
	// Input for the first.
	From []uint32
	// Name is the function's, PTX its text, with a parameter for each of From:
	//
	//	.func (.param .f32 y) Name(.param .f32 x0, .param .f32 x1, .param .b32 i)
	//
	// and i the place of the element. Arithmetic should say how it rounds (mul.rn.f32): without, a
	// compiler may contract it over stages that are fused, and results differ in the last bit.
	Name string
	PTX  string
}

// Input stands in Stage.From for what the pipeline is given.
const Input = math.MaxUint32

// A Pipeline is stages over N elements of float32, in an order in which each comes after what it
// reads. The last stage gives its result.
type Pipeline struct {
	Name   string
	N      int
	Stages []Stage
}

// A StageError says what is wrong with a stage, or with the pipeline where Stage is empty.
type StageError struct {
	Pipeline, Stage, Reason string
}

func (e *StageError) Error() string {
	if e.Stage == "" {
		return fmt.Sprintf("queue: pipeline %s: %s", e.Pipeline, e.Reason)
	}
	return fmt.Sprintf("queue: pipeline %s, stage %q: %s", e.Pipeline, e.Stage, e.Reason)
}

// Affine is the stage y = a x + b.
func Affine(id uint32, layout uint64, a, b float32, from ...uint32) Stage {
	return stage(id, layout, "affine", 1, fmt.Sprintf("fma.rn.f32 %%y, %%x0, 0f%08X, 0f%08X;", math.Float32bits(a),
		math.Float32bits(b)), from)
}

// Square is the stage y = x x.
func Square(id uint32, layout uint64, from ...uint32) Stage {
	return stage(id, layout, "square", 1, "mul.rn.f32 %y, %x0, %x0;", from)
}

// Add is the stage y = x0 + x1.
func Add(id uint32, layout uint64, from0, from1 uint32) Stage {
	return stage(id, layout, "add", 2, "add.rn.f32 %y, %x0, %x1;", []uint32{from0, from1})
}

// Multiply is the stage y = x0 x1.
func Multiply(id uint32, layout uint64, from0, from1 uint32) Stage {
	return stage(id, layout, "multiply", 2, "mul.rn.f32 %y, %x0, %x1;", []uint32{from0, from1})
}

// stage writes a function of so many parameters around an instruction.
func stage(id uint32, layout uint64, what string, inputs int, instruction string, from []uint32) Stage {
	name := fmt.Sprintf("%s_%d", what, id)
	var params, loads strings.Builder
	for i := range inputs {
		fmt.Fprintf(&params, ".param .f32 x%d, ", i)
		fmt.Fprintf(&loads, "\tld.param.f32 %%x%d, [x%d];\n", i, i)
	}
	text := fmt.Sprintf(".func (.param .f32 y) %s(%s.param .b32 i)\n{\n\t.reg .f32 %%x<%d>, "+
		"%%y;\n%s\t%s\n\tst.param.f32 [y], %%y;\n\tret;\n}\n",
		name, params.String(), inputs, loads.String(), instruction)
	return Stage{ID: id, Layout: layout, From: from, Name: name, PTX: text}
}

// fromInput is the place that stands for Input.
const fromInput = -1

// reads are the places that each stage reads.
func (p Pipeline) reads() ([][]int, error) {
	places := map[uint32]int{Input: fromInput}
	out := make([][]int, len(p.Stages))
	for i, s := range p.Stages {
		if len(s.From) == 0 {
			out[i] = []int{i - 1} // of the first stage that is fromInput
		}
		for _, id := range s.From {
			at, known := places[id]
			if !known {
				reason := fmt.Sprintf("it reads stage %d; no stage before it has that id", id)
				return nil, &StageError{Pipeline: p.Name, Stage: s.Name, Reason: reason}
			}
			out[i] = append(out[i], at)
		}
		if _, twice := places[s.ID]; twice {
			return nil, &StageError{Pipeline: p.Name, Stage: s.Name, Reason: fmt.Sprintf("the id %d is taken", s.ID)}
		}
		places[s.ID] = i
	}
	return out, nil
}

// planned are the stages and edges as planners see them: four bytes an element of each result.
func (p Pipeline) planned() ([]plan.Stage, []plan.Edge, error) {
	if err := p.checkSize(); err != nil {
		return nil, nil, err
	}
	reads, err := p.reads()
	if err != nil {
		return nil, nil, err
	}
	bytes := 4 * uint64(p.N)
	stages := make([]plan.Stage, len(p.Stages))
	var edges []plan.Edge
	for i, s := range p.Stages {
		distinct := slices.Compact(slices.Sorted(slices.Values(reads[i])))
		stages[i] = plan.Stage{ID: s.ID, Layout: s.Layout, Input: bytes * uint64(len(distinct)), Output: bytes,
			OnHost: s.OnHost}
		for _, from := range distinct {
			if from != fromInput {
				edges = append(edges, plan.Edge{From: p.Stages[from].ID, To: s.ID, Bytes: bytes})
			}
		}
	}
	return stages, edges, nil
}

// Plan plans the launches greedily, by neighbours.
func (p Pipeline) Plan(budget uint64) (plan.FusionPlan, error) {
	stages, _, err := p.planned()
	if err != nil {
		return plan.FusionPlan{}, err
	}
	return plan.LaunchFusion(stages, budget)
}

// PlanDataflow plans the launches by what each stage reads.
func (p Pipeline) PlanDataflow(budget uint64) (plan.FusionPlan, error) {
	stages, edges, err := p.planned()
	if err != nil {
		return plan.FusionPlan{}, err
	}
	return plan.DataflowFusion(stages, edges, budget)
}

var identifier = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_$]*$`)

// checkSize refuses a pipeline of nothing, and of more elements than a launch counts.
func (p Pipeline) checkSize() error {
	if len(p.Stages) > 0 && p.N >= 1 && p.N <= math.MaxInt32 {
		return nil
	}
	return &StageError{Pipeline: p.Name, Reason: fmt.Sprintf(
		"%d stages over %d elements: want at least one of each, and fewer than 2^31 elements", len(p.Stages), p.N)}
}

// check refuses what cannot be executed, and plans that are not of this pipeline.
func (p Pipeline) check(f plan.FusionPlan, input []float32) error {
	if err := p.checkSize(); err != nil {
		return err
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
				return &PlanError{Field: "groups", Want: "the stages of the pipeline in order",
					Got: fmt.Sprintf("stage %d at place %d", id, at)}
			}
			at++
		}
	}
	if at != len(p.Stages) {
		return &PlanError{Field: "groups", Want: fmt.Sprintf("all %d stages", len(p.Stages)), Got: fmt.Sprint(at)}
	}
	return nil
}
