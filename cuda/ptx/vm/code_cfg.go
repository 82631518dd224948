package vm

import "github.com/vyre-kernel/vyre-kernel/cuda/ptx"

// span is a basic block of a function before compilation: instructions [from, to)
// and the basic blocks of the function that may follow.
type span struct {
	from, to int
	next     []int
}

// graph is the control flow of one function.
type graph struct {
	fn    *ptx.Function
	spans []span
	at    []int // by instruction index: the span it begins or lies in
	forms []*ptx.Form
	// liveOut are the registers that are read behind each span.
	liveOut []bitset
}

// endsBlock are the opcodes after which lanes may go on elsewhere or wait.
var endsBlock = map[string]bool{
	"bra": true, "brx": true, "ret": true, "exit": true, "trap": true, "call": true, "bar": true, "barrier": true,
	"shfl": true, "vote": true, "match": true, "redux": true, "elect": true,
	"ldmatrix": true, "stmatrix": true, "movmatrix": true, "mma": true, "wmma": true, "wgmma": true, "setmaxnreg": true,
	"tensormap": true,
}

// waitsForWarp are the opcodes at which lanes wait for others of their warp.
var waitsForWarp = map[string]bool{"bar": true, "shfl": true, "vote": true, "match": true, "redux": true, "elect": true,
	"ldmatrix": true, "stmatrix": true, "movmatrix": true, "mma": true, "wmma": true, "wgmma": true,
	"setmaxnreg": true, "tensormap": true}

// falls reports whether lanes may run on into the next instruction.
func falls(in *ptx.Instruction) bool {
	switch in.Op {
	case "bra", "brx", "ret", "exit", "trap":
		return in.Guard != nil
	}
	return true
}

// newGraph cuts a function at labels and behind block-ending instructions.
func newGraph(fn *ptx.Function, forms []*ptx.Form) *graph {
	g := &graph{fn: fn, forms: forms, at: make([]int, len(fn.Code)+1)}
	leader := make([]bool, len(fn.Code)+1)
	leader[0] = true
	// A label that nothing jumps to is for a debugger.
	for _, names := range fn.Targets {
		for _, name := range names {
			leader[fn.Labels[name]] = true
		}
	}
	for i := range fn.Code {
		if in := &fn.Code[i]; in.Op == "bra" && in.Operands[0].Kind == ptx.OpLabel {
			leader[fn.Labels[in.Operands[0].Name]] = true
		}
		if endsBlock[fn.Code[i].Op] {
			leader[i+1] = true
		}
		// Lanes that waited at a warp instruction run it again, and nothing before it.
		if waitsForWarp[fn.Code[i].Op] {
			leader[i] = true
		}
	}
	for i := range fn.Code {
		if leader[i] {
			g.spans = append(g.spans, span{from: i})
		}
		g.at[i] = len(g.spans) - 1
		g.spans[len(g.spans)-1].to = i + 1
	}
	// A label behind the last instruction gets an empty span, as does a body
	// without instructions.
	g.spans = append(g.spans, span{from: len(fn.Code), to: len(fn.Code)})
	g.at[len(fn.Code)] = len(g.spans) - 1
	for i := range g.spans {
		g.link(i)
	}
	return g
}

func (g *graph) link(i int) {
	s := &g.spans[i]
	if s.from == s.to {
		return
	}
	in := &g.fn.Code[s.to-1]
	if falls(in) && i+1 < len(g.spans) {
		s.next = append(s.next, i+1)
	}
	switch in.Op {
	case "bra":
		s.next = append(s.next, g.target(in.Operands[0].Name))
	case "brx":
		for _, name := range g.fn.Targets[in.Operands[len(in.Operands)-1].Name] {
			s.next = append(s.next, g.target(name))
		}
	}
}

// target gives the span that a label begins.
func (g *graph) target(label string) int { return g.at[g.fn.Labels[label]] }
