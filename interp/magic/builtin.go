package magic

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

func init() {
	Register("%time", "run the Go text that follows and say how long it took", timeLine)
	Register("%%time", "run the cell and say how long it took", timeLine)
	Register("%who", "list what cells declared", without(who))
	Register("%reset", "forget all that cells declared", without(reset, "-f"))
	Register("%engine", "say which engine executes cells, or have another: %engine vm, %engine yaegi", chooseEngine)
	Register("%help", "list these commands; with a name, show its documentation: %help strings.Cut", help)
}

// timeLine says the time where the cell prints: it is no error.
func timeLine(ctx context.Context, c *Call) (any, error) {
	if strings.TrimSpace(c.Args+c.Body) == "" {
		return nil, &NothingError{c.Name}
	}
	start := time.Now()
	err := c.Session.Go(ctx, c.Source)
	fmt.Printf("time: %v\n", time.Since(start).Round(time.Microsecond))
	return nil, err
}

// A NothingError is a command that has nothing to be done with.
type NothingError struct{ Command string }

func (e *NothingError) Error() string {
	if e.Command == "!" {
		return "!: there is nothing to execute: want a command behind it"
	}
	if strings.HasPrefix(e.Command, "%%") {
		return e.Command + ": there is nothing to execute: the cell is empty"
	}
	return fmt.Sprintf("%s: there is nothing to execute: want Go text behind it, or a cell behind %%%s", e.Command,
		e.Command)
}

// An ArgumentError is something behind a command that takes nothing.
type ArgumentError struct{ Command, Found string }

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("%s takes nothing behind it, found %q: nothing was done", e.Command, e.Found)
}

// without makes a command that takes no arguments, but a comment, and what other kernels' users are
// used to write.
func without(run Func, taken ...string) Func {
	return func(ctx context.Context, c *Call) (any, error) {
		args, _, _ := strings.Cut(c.Args, "//")
		if args = strings.TrimSpace(args); args != "" && !slices.Contains(taken, args) {
			return nil, &ArgumentError{c.Name, args}
		}
		return run(ctx, c)
	}
}

func who(_ context.Context, c *Call) (any, error) {
	t := display.Table{Columns: []display.Column{{Title: "name"}, {Title: "kind"}, {Title: "type"}, {Title: "value"}}}
	for _, v := range c.Session.Variables() {
		t.Rows = append(t.Rows, []any{v.Name, v.Kind, v.Type, v.Value})
	}
	return t, nil
}

func reset(_ context.Context, c *Call) (any, error) { return nil, c.Session.Reset() }

// A NameError is a name to be described that neither Go nor a command has.
type NameError struct {
	Name string
	Near string // a name like it, or nothing
}

func (e *NameError) Error() string {
	text := fmt.Sprintf("%%help: nothing here is called %q", e.Name)
	if e.Near != "" {
		return text + fmt.Sprintf(": did you mean %s?", e.Near)
	}
	return text + ": want a command, or a Go name such as strings.Cut"
}

func help(_ context.Context, c *Call) (any, error) {
	if c.Args == "" {
		return commands(), nil
	}
	if text, ok := Help(c.Args); ok {
		return Page{c.Args + ": " + text}, nil
	}
	if text, ok := c.Session.Describe(c.Args); ok {
		return Page{text}, nil
	}
	return nil, &NameError{c.Args, nearest(c.Args, append(Names(), c.Session.Neighbours(c.Args)...))}
}

func commands() display.Table {
	t := display.Table{Columns: []display.Column{{Title: "command"}, {Title: "what it does"}}}
	for _, name := range Names() {
		text, _ := Help(name)
		t.Rows = append(t.Rows, []any{name, text})
	}
	return t
}

// An EngineError is the name of an engine that does not exist.
type EngineError struct {
	Name string
	Near string   // a name like it, or nothing
	Have []string // those that there are
}

func (e *EngineError) Error() string {
	text := fmt.Sprintf("no engine %s", strconv.Quote(e.Name))
	if e.Near != "" {
		text += fmt.Sprintf(": did you mean %s?", e.Near)
	}
	return text + " (there are " + strings.Join(e.Have, ", ") + ")"
}

func chooseEngine(_ context.Context, c *Call) (any, error) {
	now, have := c.Session.Engine(), c.Session.Engines()
	switch name := strings.TrimSpace(c.Args); {
	case name == "":
		return engineText(now + " executes cells; there are " + strings.Join(have, ", ")), nil
	case !slices.Contains(have, name):
		return nil, &EngineError{name, nearest(name, have), have}
	case name == now:
		return engineText(now + " executes cells, as before"), nil
	default:
		if err := c.Session.Switch(name); err != nil {
			return nil, err
		}
		return engineText(name + " executes cells from here on. What earlier cells declared was " + now +
			"'s: it is forgotten, and what they left running has stopped."), nil
	}
}

// engineText is shown as it is, not quoted.
type engineText string

func (t engineText) MIMEBundle() display.Bundle {
	return display.Bundle{Data: map[string]any{display.TypeText: string(t)}}
}
