// Package door breaks the law in each way that package lawtest looks for.
package door

import (
	"errors"
	"runtime"
)

// An Error is this package's refusal.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

// A Door is right: each method refuses where it cannot do what was asked.
type Door struct {
	open  bool
	paint *Paint
}

// Hang makes a door.
func Hang(p *Paint) (*Door, error) {
	if p == nil {
		return nil, &Error{"Hang: want a paint, got nil"}
	}
	return &Door{true, p}, nil
}

// Shut refuses a door that is no door.
func (d *Door) Shut() error {
	if d == nil || d.paint == nil {
		return &Error{"Shut: want a door, got none"}
	}
	return nil
}

// MustShut panics with the refusal.
func (d *Door) MustShut() {
	if err := d.Shut(); err != nil {
		panic(err)
	}
}

// A Paint is data: its zero value is one.
type Paint struct{ Name string }

func (p Paint) String() string { return p.Name }

// A Gate is wrong in every method.
type Gate struct{ door *Door }

func (g *Gate) Plain() bool        { return g.door.open }
func (g *Gate) Silent() error      { return nil }
func (g *Gate) Foreign() error     { return errors.New("gate") }
func (g *Gate) Leaves()            { runtime.Goexit() }
func (g *Gate) Hangs()             { select {} }
func (g *Gate) Takes(d *Door) bool { return d.open }
func (g *Gate) Hands() *hinge      { return &hinge{} }
func (g *Gate) Allowed() int       { return 1 }

type hinge struct{}

func (h *hinge) Turn() {}

// Forgotten is named by no test.
type Forgotten struct{}

func (Forgotten) Method() {}

// Open is named by no test.
func Open() {}
