package magic

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

func init() {
	Register("%time", "run the Go text that follows and say how long it took", timeLine)
	Register("%%time", "run the cell and say how long it took", timeLine)
	Register("%who", "list what cells declared", who)
	Register("%reset", "forget what cells declared", reset)
	Register("%help", "list these commands", help)
}

func timeLine(ctx context.Context, c *Call) (any, error) {
	start := time.Now()
	err := c.Session.Go(ctx, c.Source)
	fmt.Fprintf(os.Stderr, "time: %v\n", time.Since(start).Round(time.Microsecond))
	return nil, err
}

func who(_ context.Context, c *Call) (any, error) {
	t := display.Table{Columns: []display.Column{{Title: "name"}, {Title: "kind"}, {Title: "type"}, {Title: "value"}}}
	for _, v := range c.Session.Variables() {
		t.Rows = append(t.Rows, []any{v.Name, v.Kind, v.Type, v.Value})
	}
	return t, nil
}

func reset(_ context.Context, c *Call) (any, error) { return nil, c.Session.Reset() }

func help(context.Context, *Call) (any, error) {
	t := display.Table{Columns: []display.Column{{Title: "command"}, {Title: "what it does"}}}
	for _, name := range Names() {
		text, _ := Help(name)
		t.Rows = append(t.Rows, []any{name, text})
	}
	return t, nil
}
