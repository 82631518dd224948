package main

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"strconv"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/cuda/nvrtc"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/magic"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// registerDeviceMagics adds the commands that need to know of devices, which package interp must
// not.
func registerDeviceMagics() {
	magic.Register("%%cuda",
		"compile the cell, CUDA C++, with NVRTC (no GPU needed) and declare it as a *nvrtc.Program: %%cuda NAME", compileCUDA)
	magic.Register("%%ptx", "check the cell, PTX, and declare it as a string: %%ptx NAME", declarePTX)
	registerTimeit()
	magic.Register("%devices", "list the devices that cuda.Open can take", listDevices)
}

// A nameError is a %%cuda or %%ptx that does not say what the cell is to be called.
type nameError struct{ command, found string }

func (e *nameError) Error() string {
	found := "nothing"
	if e.found != "" {
		found = strconv.Quote(e.found)
	}
	return fmt.Sprintf("%s NAME: want one Go identifier that Go cells will know it by, found %s", e.command, found)
}

func nameOf(c *magic.Call) (string, error) {
	if !token.IsIdentifier(c.Args) {
		return "", &nameError{c.Name, c.Args}
	}
	return c.Args, nil
}

// firstLine is the line of the cell on which the body of a command begins.
func firstLine(c *magic.Call) int {
	before, _, _ := strings.Cut(c.Source, c.Body)
	return 1 + strings.Count(before, "\n")
}

func compileCUDA(ctx context.Context, c *magic.Call) (any, error) {
	name, err := nameOf(c)
	if err != nil {
		return nil, err
	}
	cell := fmt.Sprintf("In[%d]", c.Number) // what messages and faults call the source
	p, err := nvrtc.Compile(c.Body, nvrtc.Options{Name: cell, FirstLine: firstLine(c), LineInfo: true,
		Driver: cuda.DriverVersion()})
	if err != nil {
		return nil, err
	}
	return nil, c.Session.Go(ctx, fmt.Sprintf("%s := %#v\n%s", name, p, name)) // a literal: a program is data
}

func declarePTX(ctx context.Context, c *magic.Call) (any, error) {
	name, err := nameOf(c)
	if err != nil {
		return nil, err
	}
	// errors, a driver's too when it is loaded, name the cell's lines
	text := strings.Repeat("\n", firstLine(c)-1) + c.Body
	m, err := ptx.Parse(name, text)
	if err != nil {
		return nil, err
	}
	if err := c.Session.Go(ctx, fmt.Sprintf("%s := %q", name, text)); err != nil {
		return nil, err
	}
	return ptxText(m), nil
}

// ptxText says what a module is, and why the emulated device would not load it. That is no error: a
// GPU's driver may know more.
func ptxText(m *ptx.Module) lines {
	text := lines{fmt.Sprint(m)}
	var outOfMemory *vm.OutOfMemoryError
	switch p, err := vm.Load(m, vm.NewMemory(ptxMemory), vm.Options{}); {
	case err == nil:
		p.Unload()
	case !errors.As(err, &outOfMemory):
		text = append(text, "The emulated device would not load it: "+err.Error())
	}
	return text
}

// ptxMemory is what the variables of a module may take while it is looked at.
const ptxMemory = 1 << 30

// lines are shown as they are, not quoted.
type lines []string

func (l lines) MIMEBundle() display.Bundle {
	return display.Bundle{Data: map[string]any{display.TypeText: strings.Join(l, "\n")}}
}

func listDevices(context.Context, *magic.Call) (any, error) {
	t := display.NewTable("", display.Column{Title: "cuda.Open(…)"}, display.Column{Title: "device"})
	for _, f := range cuda.Devices() {
		if f.Err != nil {
			t.Rows = append(t.Rows, []any{f.Driver, "none: " + f.Err.Error()})
			continue
		}
		t.Rows = append(t.Rows, []any{fmt.Sprintf("%s:%d", f.Driver, f.Ordinal), f.Name})
	}
	return t, nil
}
