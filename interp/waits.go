package interp

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A givenUp is the interrupt of a cell that waited in compiled code, with what that said of it:
// what goes on, and what to do about it.
type givenUp struct {
	*engine.Interrupted
	says error
}

func (g *givenUp) Unwrap() error { return g.Interrupted }

// asInterrupt makes a panic of an interrupted cell with what compiled code says of the interrupt
// the interrupt itself.
func asInterrupt(ctx context.Context, err error) error {
	var p *engine.Panic
	if ctx.Err() == nil || !errors.As(err, &p) {
		return err
	}
	if says := saysInterrupt(p.Value); says != nil {
		return &givenUp{&engine.Interrupted{Stack: p.Stack}, says}
	}
	return err
}

// shownInterrupt is the interrupt of a cell whose last expression waited, and whose value is that
// it waits no more.
func shownInterrupt(values []reflect.Value) error {
	for _, v := range values {
		if !v.IsValid() || !v.CanInterface() {
			continue
		}
		if says := saysInterrupt(v.Interface()); says != nil {
			return &givenUp{new(engine.Interrupted), says}
		}
	}
	return nil
}

// saysInterrupt gives the error of a wait that was interrupted, nil for any other value.
func saysInterrupt(v any) error {
	err, _ := v.(error)
	var says interface {
		error
		Interrupted() bool
	}
	if errors.As(err, &says) && says.Interrupted() {
		return says
	}
	return nil
}

// withWait adds to an interrupted cell's error what the wait said.
func withWait(err error, e *worker.CellError) *worker.CellError {
	var g *givenUp
	if e != nil && errors.As(err, &g) && len(e.Traceback) > 0 {
		e.Traceback = append(append(e.Traceback[:1:1], strings.Split(g.says.Error(), "\n")...), e.Traceback[1:]...)
	}
	return e
}
