package egraph

import (
	"fmt"
	"strings"
)

// An ArityError is an operator used with a number of arguments other than the one it has.
type ArityError struct {
	Op        string
	Want, Got int
}

func (e *ArityError) Error() string {
	return fmt.Sprintf("egraph: operator %s takes %d arguments, given %d; an operator has one arity in a graph, use "+
		"another name", e.Op, e.Want, e.Got)
}

// An UnknownOperatorError is an operator that the graph's closed language lacks.
type UnknownOperatorError struct {
	Op    string
	Arity int
}

func (e *UnknownOperatorError) Error() string {
	return fmt.Sprintf("egraph: operator %s/%d is not in the graph's language; declare it with egraph.Operators", e.Op,
		e.Arity)
}

// A ClassError is an id that names no class of the graph.
type ClassError struct {
	What string
	ID   ID
	Size int // ids below Size exist
}

func (e *ClassError) Error() string {
	return fmt.Sprintf("egraph: %s: no class %d in this graph, which has ids below %d", e.What, e.ID, e.Size)
}

// A RuleError is a rule that cannot be used. Where its rule says what a graph or a reader refused,
// that error is its cause, which errors.As finds.
type RuleError struct {
	Rule   string
	Reason string
	Cause  error // nil where there is none
}

func (e *RuleError) Unwrap() error { return e.Cause }

// ruleError makes a rule's error of what its parts were refused for.
func ruleError(rule string, cause error) error {
	return &RuleError{rule, strings.TrimPrefix(cause.Error(), "egraph: "), cause}
}

func (e *RuleError) Error() string { return fmt.Sprintf("egraph: rule %q: %s", e.Rule, e.Reason) }

// A FullError is a graph that would outgrow its 32-bit ids or a stated bound.
type FullError struct {
	What  string
	Limit uint64
}

func (e *FullError) Error() string {
	return fmt.Sprintf("egraph: %s would pass %d", e.What, e.Limit)
}

// A CallbackError is a panic in a condition, an applier, an analysis or a cost function.
type CallbackError struct {
	What  string // which function
	Panic any
}

func (e *CallbackError) Error() string {
	return fmt.Sprintf("egraph: %s panicked: %v", e.What, e.Panic)
}

// An InvariantError is a broken law of the data structure, found by CheckInvariants.
type InvariantError struct {
	Law    string
	Op     string
	Row    int
	Detail string
}

func (e *InvariantError) Error() string {
	return fmt.Sprintf("egraph: invariant %s: operator %s row %d: %s", e.Law, e.Op, e.Row, e.Detail)
}

// A CostError is a cost that no extraction can go by.
type CostError struct {
	Node   string // "(+ #3 #7)", "" where it is no single node's
	Class  ID
	Cost   float64
	Reason string
}

func (e *CostError) Error() string {
	what := fmt.Sprintf("class %d", e.Class)
	if e.Node != "" {
		what = fmt.Sprintf("%s in class %d", e.Node, e.Class)
	}
	return fmt.Sprintf("egraph: the cost %v of %s: %s", e.Cost, what, e.Reason)
}

// A ChangedError is a graph that was changed by a function of the person's that was to look at it
// only, or by another goroutine meanwhile.
type ChangedError struct{ What string }

func (e *ChangedError) Error() string {
	return "egraph: " + e.What + " changed the graph, or another goroutine did meanwhile: it may only be looked at; " +
		"change it before or after the call"
}

// An ArgumentError is an argument that a call cannot do anything with.
type ArgumentError struct {
	Call, Argument string
	Got, Want      string
}

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("egraph: %s: %s is %s, want %s", e.Call, e.Argument, e.Got, e.Want)
}

// A StaleError is a value of a graph that is used after the graph changed under it.
type StaleError struct {
	What   string
	Reason string // what changed, and what to do
}

func (e *StaleError) Error() string {
	return "egraph: " + e.What + " is of an earlier state: " + e.Reason
}
