package magic

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/spelling"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A Session is what a command can ask of the session that it runs in.
type Session interface {
	// Go executes Go text at the place where the command stood, and shows the value of its last
	// expression as a cell does.
	Go(ctx context.Context, source string) error
	// Loop makes a function of Go text that executes it n times, in a scope of its own, and says
	// how long that took.
	Loop(ctx context.Context, source string) (func(n int) (time.Duration, error), error)
	// Variables lists what cells declared.
	Variables() []Variable
	// Describe says what a name or selector stands for: its declaration, documentation and value in
	// short.
	Describe(name string) (string, bool)
	// Neighbours are names that one could have meant instead of one that Describe does not know.
	Neighbours(name string) []string
	// Tests are the functions of cells that package testing runs, in the order of the cells. The
	// error names one that is called so and takes something else.
	Tests() ([]Test, error)
	// Reset forgets what cells declared.
	Reset() error
	// Engine names the engine that executes cells, Engines those that there are.
	Engine() string
	Engines() []string
	// Switch makes a fresh engine execute what follows; what cells declared is forgotten.
	Switch(engine string) error
}

// A Variable is a name that cells declared.
type Variable struct{ Name, Kind, Type, Value string }

// A Call is one use of a command.
type Call struct {
	Name string // with its % or %%
	// Args is the rest of the line, Body what follows it: the cell for %%name, nothing for %name.
	Args, Body string
	// Source is the whole cell with everything but Args and Body blanked out, so that Go text keeps
	// its positions.
	Source  string
	Number  int // of the cell
	Session Session
	Host    worker.Host
	// Stdout and Stderr are what the processes of commands write to; nil: this process's own.
	Stdout, Stderr io.Writer
}

// TakesGo reports whether the text after a command is Go, or a name of it.
func (c *Call) TakesGo() bool {
	name := strings.TrimLeft(c.Name, "%")
	return name == "time" || name == "timeit" || name == "help"
}

// A Page is the value of a command that is to be read beside the notebook: front ends show it in
// their pager.
type Page struct{ Text string }

// A Func does what a command is for. Its value, where not nil, is shown as the cell's result; a
// Page in the pager.
type Func func(ctx context.Context, call *Call) (any, error)

type entry struct {
	help string
	run  Func
}

var table struct {
	sync.RWMutex
	entries map[string]entry
}

// Register adds a command. The name carries its % or %%; help is one line. A later registration of
// the same name replaces the earlier one.
func Register(name, help string, run Func) {
	table.Lock()
	defer table.Unlock()
	if table.entries == nil {
		table.entries = map[string]entry{}
	}
	table.entries[name] = entry{help, run}
}

// Names lists the commands in order.
func Names() []string {
	table.RLock()
	defer table.RUnlock()
	return slices.Sorted(maps.Keys(table.entries))
}

// Help is the line that Register was given.
func Help(name string) (string, bool) {
	table.RLock()
	defer table.RUnlock()
	e, ok := table.entries[name]
	return e.help, ok
}

// An UnknownError is a command that nobody registered.
type UnknownError struct {
	Name string
	Near string // a name like it, or nothing
}

func (e *UnknownError) Error() string {
	text := fmt.Sprintf("unknown magic %s", e.Name)
	if instead := elsewhere[strings.TrimLeft(e.Name, "%")]; instead != "" {
		return text + ": in Go " + instead + " (%help lists those that there are)"
	}
	if e.Near != "" {
		text += fmt.Sprintf(": did you mean %s?", e.Near)
	}
	return text + " (%help lists them)"
}

// elsewhere are commands that people know from other kernels, and what does here what those do
// there.
var elsewhere = map[string]string{
	"cd": `os.Chdir("folder")`, "pwd": "os.Getwd()", "env": "os.Environ(), os.Getenv and os.Setenv",
	"set_env": "os.Setenv", "ls": "!ls",
	"writefile": "os.WriteFile", "html": "display.HTML(`…`)", "latex": "display.LaTeX(`…`)",
	"markdown": "display.Markdown(`…`)",
	"svg":      "display.SVG(`…`)", "sh": "%%bash",
}

// Run executes a command.
func Run(ctx context.Context, call *Call) (any, error) {
	table.RLock()
	e, ok := table.entries[call.Name]
	table.RUnlock()
	if !ok {
		return nil, &UnknownError{call.Name, near(call.Name)}
	}
	return e.run(ctx, call)
}

// near finds the registered name that the fewest changed letters lead to, if they are few beside
// its length; of two the longer, since letters are left out more often than put in.
func near(name string) string { return nearest(strings.ToLower(name), Names()) }

func nearest(name string, names []string) string {
	best, least := "", len(name)
	for _, candidate := range names {
		n := spelling.Distance(name, candidate)
		if (n < least || n == least && len(candidate) > len(best)) && 2*n <= len(strings.TrimLeft(candidate, "%")) {
			best, least = candidate, n
		}
	}
	return best
}
