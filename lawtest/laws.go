package lawtest

import (
	"fmt"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"
)

// A Package is what the laws are held against.
type Package struct {
	// Dir is the folder of its source, "." where empty.
	Dir string
	// Types has a nil pointer of each type with methods, or a zero value where its methods have
	// value receivers. The states nil and zero follow from it.
	Types []any
	// Data are types whose zero value is a value like others: settings, positions, reports, errors.
	// Its methods must not panic, and need not refuse. Types whose methods have pointer receivers
	// are given by a pointer.
	Data []any
	// States are further values: closed, freed, of another device.
	States []State
	// Functions are the exported functions by name; generic ones are given as one of their
	// instances.
	Functions map[string]any
	// Refusal reports whether an error, or the value of a panic, is one of the package's own that
	// says what was asked and what was found.
	Refusal func(v any) bool
	// Args are functions without parameters that make what stands for parameters of their result's
	// type; parameters of other types are zero.
	Args []any
	// Answers has a row for each call that may answer, "Buffer.Len freed" or "Open" or "Buffer.Fill
	// of nil 0" with the reason. A row that ends in "*" is for every call that begins so.
	Answers map[string]string
	// Apart has the methods that are not to be called from two goroutines at once, also not beside
	// another one, with the reason; "EGraph.*" is all of a type.
	Apart map[string]string
	// Done, where there is one, is given each value that a State made, behind its last call, and
	// each result, to close what is open. The types of values are its business.
	Done func(v any)
	// Limit is how long a call may take; 10 s where it is 0.
	Limit time.Duration
}

// A State is a value in a state. New makes a fresh one for each call.
type State struct {
	Name string
	New  func() any
	// Works says that this is a value as it should be: its methods need not refuse.
	Works bool
}

// Test fails the test for each violation.
func Test(t *testing.T, p Package) {
	t.Helper()
	for _, v := range p.Violations() {
		t.Error(v)
	}
}

// Violations are what is against the law, sorted.
func (p Package) Violations() []string {
	c := newCheck(p)
	c.complete()
	for _, v := range append(p.Types[:len(p.Types):len(p.Types)], p.Data...) {
		c.type_(v)
	}
	for _, s := range p.States {
		c.state(s)
	}
	c.pairs()
	for name, f := range p.Functions {
		c.function(name, f)
	}
	c.stale()
	sort.Strings(c.found)
	return c.found
}

// A check is one run over a package.
type check struct {
	Package
	args  map[reflect.Type]reflect.Value
	data  map[reflect.Type]bool
	used  map[string]bool // rows of Answers that a call needed
	found []string
}

func newCheck(p Package) *check {
	c := &check{Package: p, args: map[reflect.Type]reflect.Value{}, data: map[reflect.Type]bool{}, used: map[string]bool{}}
	if c.Limit == 0 {
		c.Limit = 10 * time.Second
	}
	if c.Done == nil {
		c.Done = func(any) {}
	}
	if c.Dir == "" {
		c.Dir = "."
	}
	for _, f := range p.Args {
		v := reflect.ValueOf(f)
		c.args[v.Type().Out(0)] = v
	}
	for _, d := range p.Data {
		c.data[base(reflect.TypeOf(d))] = true
	}
	return c
}

func (c *check) violation(format string, args ...any) {
	c.found = append(c.found, fmt.Sprintf(format, args...))
}

// type_ calls the methods of the zero value, and of the nil pointer where the type is not data.
func (c *check) type_(v any) {
	t := reflect.TypeOf(v)
	if t.Kind() != reflect.Pointer {
		c.methods(State{Name: "zero", New: func() any { return v }, Works: c.data[t]})
		return
	}
	zero := State{Name: "zero", New: func() any { return reflect.New(t.Elem()).Interface() }, Works: c.data[t.Elem()]}
	c.methods(zero)
	if !c.data[t.Elem()] {
		c.methods(State{Name: "nil", New: func() any { return reflect.Zero(t).Interface() }})
	}
}

// state calls the methods of a value in a state; one that works also with arguments that are nil or
// zero, and from two goroutines.
func (c *check) state(s State) {
	c.methods(s)
	if s.Works {
		c.arguments(s)
		c.together(s)
	}
}

// answers reports whether a call may answer.
func (c *check) answers(call string) bool {
	if _, ok := c.Answers[call]; ok {
		c.used[call] = true
		return true
	}
	for row := range c.Answers {
		if prefix, ok := strings.CutSuffix(row, "*"); ok && strings.HasPrefix(call, prefix) {
			c.used[row] = true
			return true
		}
	}
	return false
}

// stale finds rows of Answers that no call needs.
func (c *check) stale() {
	for row := range c.Answers {
		if !c.used[row] {
			c.violation("Answers[%q]: no such call answers; remove the row", row)
		}
	}
}

// base is the type that a pointer points to, or the type.
func base(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// name is a type's name without its type arguments.
func name(t reflect.Type) string {
	n, _, _ := strings.Cut(t.Name(), "[")
	return n
}
