package accel

import (
	"context"
	"fmt"
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
	Ops        []Op
	Rows       []Rows      // by operator
	Atoms      []term.Atom // the leaves
	Leaves     []uint32    // by atom: its class
	Rules      []Rule
	Grounds    []*term.Term // terms without variables that the rules name
	Iterations int
	Nodes      int             // limit
	Deadline   time.Time       // for the start of an iteration; zero where there is none
	Each       func(Iteration) // called after every iteration; nil where nobody asks
}

// An Op is an operator.
type Op struct {
	Name  string
	Arity int
}

// Rows are the rows of one operator: the children of row i are Children[i*arity:(i+1)*arity]. Classes that
// are NoClass mark deleted rows.
type Rows struct{ Children, Classes []uint32 }

// NoClass marks a deleted row.
const NoClass = ^uint32(0)

// A Rule is a rule as steps over registers: a step enumerates candidates, checks their children and binds
// registers, 0 and on. The class in register Root is equal to Result for each match.
type Rule struct {
	Name   string
	Steps  []Step
	Right  []Node
	Result Operand
	Root   int
}

// A Step scans the rows of Op (ScanRows), joins those of Op in the class of register On (JoinRows), visits
// all classes (ScanClasses) or the class of ground term Ground (GroundClass; where On >= 0, only if it is that class).
type Step struct {
	Kind           StepKind
	Op, On, Ground int
	Checks         []Check
	Binds          []Bind
	Class          int // the register of the class, -1 where nobody asks
}

// A StepKind says what a step visits.
type StepKind uint8

const (
	ScanRows StepKind = iota
	JoinRows
	ScanClasses
	GroundClass
)

// A Check compares child Child with register, other child, or ground term Arg.
type Check struct {
	Child int
	With  CheckKind
	Arg   int
}

// A CheckKind says what a child is compared with.
type CheckKind uint8

const (
	WithRegister CheckKind = iota
	WithChild
	WithGround
)

// A Bind puts child Child into register Reg.
type Bind struct{ Child, Reg int }

// A Node makes a row of Op over operands; its class is temporary number i, where i is its place.
type Node struct {
	Op   int
	Args []Operand
}

// An Operand is a register, a temporary or a ground term.
type Operand struct {
	From OperandKind
	Arg  int
}

// An OperandKind says where an operand comes from.
type OperandKind uint8

const (
	FromRegister OperandKind = iota
	FromTemporary
	FromGround
)

// An Outcome is the graph after a job, and what happened.
type Outcome struct {
	Parents    []uint32 // by id, those of the job first
	Rows       []Rows
	Atoms      []term.Atom // the job's first
	Leaves     []uint32
	Iterations []Iteration
	Rules      []RuleCounts // by rule
	Open       bool         // congruence does not hold yet: the host is to rebuild
	Stop       StopReason   // "" where the limits of the job were not met
	Detail     string
	Upload     time.Duration
	Device     time.Duration // as the device saw it
	Download   time.Duration
}

// A DoneIteration is one round of matching all rules, applying the matches and closing the graph.
type Iteration struct {
	Matches int
	Unions  int // classes merged by matches
	Nodes   int // after it
	Classes int
	Prepare time.Duration // indexes
	Match   time.Duration // and right sides
	Rebuild time.Duration
}

// RuleCounts is what one rule did in a job.
type RuleCounts struct {
	Matches int
	Nodes   int // rows its right side added
	Unions  int
}

// An EndReason says why a job ended.
type StopReason string

const (
	Saturated      StopReason = "saturated"       // no rule changes anything any more
	IterationLimit StopReason = "iteration limit" // as many iterations as were asked for
	NodeLimit      StopReason = "node limit"
	MemoryLimit    StopReason = "memory limit"
	TimeLimit      StopReason = "time limit"
	Interrupted    StopReason = "interrupted" // the job's context was cancelled
)
