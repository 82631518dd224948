package interp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/cell"
	"github.com/vyre-kernel/vyre-kernel/interp/check"
)

// errEmpty is a command that needs Go text and has none.
var errEmpty = errors.New("there is nothing to execute: Go text is needed after the command")

// errReturned is text that leaves the loop around it.
var errReturned = errors.New("the text returns: that ends the loop which is to execute it many times, and there " +
	"is no time of one; put it into a function: func() { … }()")

// Loop makes a function of Go text that executes it n times, in a scope of its own, and says how
// long that took. Errors name the places of the cell.
func (p *commandSession) Loop(ctx context.Context, source string) (func(n int) (time.Duration, error), error) {
	if blank(source) {
		return nil, errEmpty
	}
	k, err := p.loadLoop(source)
	if err != nil {
		return nil, err
	}
	values, err := p.s.execute(ctx, k.Unit)
	if err != nil {
		return nil, err
	}
	f, ok := values[0].Interface().(func(int, func()))
	if !ok {
		return nil, fmt.Errorf("the engine made a %s of a loop", values[0].Type())
	}
	return func(n int) (time.Duration, error) {
		start, whole := time.Now(), false
		err := p.s.alone(ctx, func(ctx context.Context) error {
			return p.s.current().Do(ctx, func() { f(n, func() { whole = true }) })
		})
		if err == nil && !whole {
			err = errReturned
		}
		return time.Since(start), err
	}, nil
}

// loadLoop loads the function that Loop calls, which does not become one of the earlier cells.
func (p *commandSession) loadLoop(source string) (*check.Checked, error) {
	p.s.loading.Lock()
	defer p.s.loading.Unlock()
	alone, err := p.s.check.Check(p.number, source) // its errors show the cell's own lines
	if err != nil {
		return nil, err
	}
	k, err := p.s.check.Check(p.number, looped(p.number, source, len(alone.Shown)))
	if err != nil {
		return nil, err
	}
	return k, p.s.current().Load(k.Unit)
}

// looped is the text of a func(int, func()) that executes source so often and then calls the
// function: text that returns does not. values is how many its last expression gives: they are
// assigned to nobody.
func looped(number int, source string, values int) string {
	text := strings.TrimLeft(source, " \t\r\n")
	at := len(source) - len(text)
	first := directive(number, source, at)
	if values > 0 {
		last := cell.LastStatement(source)
		drop := strings.TrimSuffix(strings.Repeat("_, ", values), ", ") + " = "
		text = source[at:last] + drop + directive(number, source, last) + source[last:]
	}
	return fmt.Sprintf("%sfunc(ˈtimes int, ˈwhole func()) { for range ˈtimes { %s%s\n}; ˈwhole() }",
		strings.Repeat("\n", strings.Count(source[:at], "\n")), first, text)
}

// directive says that what follows stands at an offset of the cell.
func directive(number int, source string, at int) string {
	before := source[:at]
	return fmt.Sprintf("/*line %s:%d:%d*/", cell.Name(number), 1+strings.Count(before, "\n"),
		len(before)-strings.LastIndexByte(before, '\n'))
}
