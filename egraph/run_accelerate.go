package egraph

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// An Accelerator runs whole iterations somewhere else than on the host: package egraph/device has one for
// CUDA devices.
type Accelerator interface {
	// String names where it runs, for reports.
	String() string
	// Saturate runs a job from its graph, which is closed, to a stop reason. The job's columns are the graph's:
	// they are read only. An *UnfitError says that it cannot run the job, and nothing was done.
	Saturate(j *Job) (*Outcome, error)
}

// An UnfitError says why a run cannot go to an accelerator; the host can do it.
type UnfitError struct {
	Where, Reason string
}

func (e *UnfitError) Error() string {
	return fmt.Sprintf("egraph: this run cannot go to %s: %s; without On it runs on the host", e.Where, e.Reason)
}

// A Job is a graph and a compiled rule set as plain columns.
type Job struct {
	Context    context.Context
	Parents    []uint32 // by id: its class
	Ops        []JobOp
	Rows       []JobRows   // by operator
	Atoms      []term.Atom // the leaves
	Leaves     []uint32    // by atom: its class
	Rules      []JobRule
	Grounds    []*term.Term // terms without variables that the rules name
	Iterations int
	Nodes      int             // limit
	Deadline   time.Time       // for the start of an iteration; zero where there is none
	Each       func(Iteration) // called after every iteration; nil where nobody asks
}

// A JobOp is an operator.
type JobOp struct {
	Name  string
	Arity int
}

// JobRows are the rows of one operator: the children of row i are Kids[i*arity:(i+1)*arity]. Classes that
// are NoClass are rows that stand no more.
type JobRows struct{ Kids, Classes []uint32 }

// NoClass is the class of a row that stands no more.
const NoClass = none

// A JobRule is a rule as steps over registers: a step enumerates candidates, checks their children and binds
// registers, 0 and on. The class in register Root is equal to Result for each match.
type JobRule struct {
	Name   string
	Steps  []JobStep
	Right  []JobNode
	Result JobOperand
	Root   int
}

// A JobStep scans the rows of Op (ScanRows), joins those of Op in the class of register On (JoinRows), visits
// all classes (ScanClasses) or the class of ground term Ground (GroundClass; where On >= 0, only if it is that class).
type JobStep struct {
	Kind           JobStepKind
	Op, On, Ground int
	Checks         []JobCheck
	Binds          []JobBind
	Class          int // the register of the class, -1 where nobody asks
}

type JobStepKind uint8

const (
	ScanRows JobStepKind = iota
	JoinRows
	ScanClasses
	GroundClass
)

// A JobCheck compares child Kid with register, other child, or ground term Arg.
type JobCheck struct {
	Kid  int
	With JobCheckKind
	Arg  int
}

type JobCheckKind uint8

const (
	WithRegister JobCheckKind = iota
	WithChild
	WithGround
)

// A JobBind puts child Kid into register Reg.
type JobBind struct{ Kid, Reg int }

// A JobNode makes a row of Op over operands; its class is temporary number i, where i is its place.
type JobNode struct {
	Op   int
	Args []JobOperand
}

// A JobOperand is a register, a temporary or a ground term.
type JobOperand struct {
	From JobOperandKind
	Arg  int
}

type JobOperandKind uint8

const (
	FromRegister JobOperandKind = iota
	FromTemporary
	FromGround
)

// An Outcome is the graph after a job, and what happened.
type Outcome struct {
	Parents    []uint32 // by id, those of the job first
	Rows       []JobRows
	Atoms      []term.Atom // the job's first
	Leaves     []uint32
	Iterations []Iteration
	Rules      []RuleStats // by rule
	Open       bool        // congruence does not hold yet: the host is to rebuild
	Stop       StopReason  // "" where the limits of the job were not met
	Detail     string
	Upload     time.Duration
	Device     time.Duration // as the device saw it
	Download   time.Duration
}

// On runs all iterations on an accelerator, or fails with an *UnfitError.
func On(a Accelerator) RunOption {
	return func(r *runner) { r.away = placement{to: a, told: true}; r.given("On", a != nil) }
}

// OnHost runs all iterations on the host, whatever accelerators there are.
func OnHost() RunOption { return func(r *runner) { r.away = placement{told: true} } }

// Auto lets a run go to an accelerator once the graph has so many nodes and the rules fit; a run without a
// word about it goes to the accelerator that RegisterAccelerator brought, if any, once it has awayFrom nodes.
func Auto(a Accelerator, nodes int) RunOption {
	return func(r *runner) { r.away = placement{to: a, from: nodes}; r.given("Auto", a != nil) }
}

// awayFrom is how many nodes a graph has before its iterations are worth a transfer.
const awayFrom = 1 << 17

var registered struct {
	sync.Mutex
	find func() Accelerator
}

// RegisterAccelerator says where runs may go that do not say: find is asked when a run has become large, and
// may answer nil.
func RegisterAccelerator(find func() Accelerator) {
	registered.Lock()
	defer registered.Unlock()
	registered.find = find
}

// placement is where a run's iterations are to be.
type placement struct {
	to   Accelerator
	told bool
	from int    // nodes
	why  string // why the host was chosen after all
}

// reason says why the run was where it was.
func (p *placement) reason() string {
	switch {
	case p.why != "":
		return p.why
	case p.told:
		return "it was told"
	case p.to != nil:
		return fmt.Sprintf("the graph passed %d nodes", p.from)
	}
	return "the graph stayed small"
}
