package execute

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cmd/vyre-kernel/notebook/export"
	"github.com/vyre-kernel/vyre-kernel/kernel/client"
)

// A Kernel executes cells: *client.Kernel and *client.Client do.
type Kernel interface {
	Execute(context.Context, client.Request) (client.Reply, error)
	Interrupt(context.Context) error
	Info(context.Context) (map[string]any, error)
}

// Options of a run.
type Options struct {
	// Timeout bounds each cell; 0: none. A cell that takes longer is interrupted and has failed.
	Timeout time.Duration
	// AllowErrors goes on after a cell that failed.
	AllowErrors bool
	// Input answers what cells ask; nil: cells that ask get an error.
	Input func(prompt string, password bool) (string, error)
	// Progress hears of each code cell before it runs and after; nil: nobody does.
	Progress Progress
}

// Progress hears how a run goes on. n counts code cells from 1 to total.
type Progress interface {
	Started(n, total int, cell *export.Cell)
	Ended(n, total int, cell *export.Cell, took time.Duration)
}

// A CellError says which cell failed, and how.
type CellError struct {
	Cell        int // among all cells, from 1
	Count       int // its execution count
	Name, Value string
}

func (e *CellError) Error() string {
	return fmt.Sprintf("cell %d (In[%d]) failed: %s: %s", e.Cell, e.Count, e.Name, e.Value)
}

// Notebook runs all code cells in order and fills nb's outputs and language. It stops at the first
// cell that fails, unless told otherwise. Errors: *CellError (the first), or the client's own.
func Notebook(ctx context.Context, kernel Kernel, nb *export.Notebook, o Options) error {
	if err := describe(ctx, kernel, nb); err != nil {
		return err
	}
	r := &runner{kernel: kernel, options: o, displays: map[string][]*export.Output{}, collectors: map[int]*collector{}}
	for i := range nb.Cells {
		if runs(&nb.Cells[i]) {
			r.total++
		}
	}
	clearOutputs(nb)
	// A later cell may update an earlier one's display, so outputs are settled at the end once
	// more.
	defer r.settle(nb)
	for i := range nb.Cells {
		if !runs(&nb.Cells[i]) {
			continue
		}
		if err := r.cell(ctx, i, &nb.Cells[i]); err != nil {
			return err
		}
	}
	if r.failed != nil {
		return r.failed
	}
	return nil
}

func (r *runner) settle(nb *export.Notebook) {
	for i, c := range r.collectors {
		nb.Cells[i].Outputs = c.outputs()
	}
}

func runs(c *export.Cell) bool { return c.Type == export.Code && strings.TrimSpace(c.Source) != "" }

func clearOutputs(nb *export.Notebook) {
	for i := range nb.Cells {
		nb.Cells[i].Outputs, nb.Cells[i].ExecutionCount = nil, nil
	}
}

// describe notes in the notebook what language the kernel says it speaks.
func describe(ctx context.Context, kernel Kernel, nb *export.Notebook) error {
	info, err := kernel.Info(ctx)
	if err != nil {
		return err
	}
	if language, ok := info["language_info"]; ok {
		nb.Metadata["language_info"] = language
	}
	return nil
}

type runner struct {
	kernel   Kernel
	options  Options
	n, total int
	failed   *CellError
	// displays are the outputs that carry a display id, over all cells.
	displays   map[string][]*export.Output
	collectors map[int]*collector // by the cell's index
}

func (r *runner) cell(ctx context.Context, at int, c *export.Cell) error {
	r.n++
	if r.options.Progress != nil {
		r.options.Progress.Started(r.n, r.total, c)
	}
	begin := time.Now()
	collect := &collector{displays: r.displays}
	r.collectors[at] = collect
	reply, err := r.execute(ctx, client.Request{Code: c.Source, Output: collect.take, Input: r.options.Input})
	c.Outputs = collect.outputs()
	if err != nil {
		return err
	}
	if reply.ExecutionCount > 0 {
		c.ExecutionCount = &reply.ExecutionCount
	}
	if r.options.Progress != nil {
		r.options.Progress.Ended(r.n, r.total, c, time.Since(begin))
	}
	if reply.Status == "ok" {
		return nil
	}
	failed := &CellError{Cell: at + 1, Count: reply.ExecutionCount, Name: reply.ErrorName, Value: reply.ErrorValue}
	if r.failed == nil {
		r.failed = failed
	}
	if r.options.AllowErrors {
		return nil
	}
	return failed
}

// execute interrupts a cell that takes too long, or that nobody waits for any more, and still takes
// its outputs: the kernel has a moment to end it in order.
func (r *runner) execute(ctx context.Context, request client.Request) (client.Reply, error) {
	waiting, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	interrupt := func(cause error) {
		_ = r.kernel.Interrupt(waiting) // where the kernel is gone, Execute says so
		time.AfterFunc(interruptGrace, func() { stop(cause) })
	}
	defer context.AfterFunc(ctx, func() { interrupt(context.Cause(ctx)) })()
	if r.options.Timeout > 0 {
		timer := time.AfterFunc(r.options.Timeout, func() {
			interrupt(fmt.Errorf("the cell took longer than %v and could not be interrupted", r.options.Timeout))
		})
		defer timer.Stop()
	}
	return r.kernel.Execute(waiting, request)
}

const interruptGrace = 5 * time.Second

var _ Kernel = (*client.Client)(nil)
