package enginetest

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

//go:embed testdata/refused.txt
var refusedText string

// A RefusedList holds what engines other than the vm may refuse of what is here, with the construct
// that they name. It may only shrink.
type RefusedList struct {
	known map[string]string // name of the program or scenario -> the refused construct
	mu    sync.Mutex
	seen  map[string]error
}

// Refusals reads the list: a line holds the name and, after a colon, what the refusal says is not
// supported.
func Refusals() (*RefusedList, error) {
	l := &RefusedList{known: map[string]string{}, seen: map[string]error{}}
	for line := range strings.Lines(refusedText) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, what, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, fmt.Errorf("refused.txt: want \"name: construct\", found %q", line)
		}
		l.known[name] = what
	}
	return l, nil
}

// Refused notes an engine's refusal; it is an Options.Refused.
func (l *RefusedList) Refused(name string, err error) {
	if r := (*engine.Refusal)(nil); !errors.As(err, &r) {
		return // package check's, the same for all engines
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.seen[name] = err
}

// Faults tells what was refused and is not on the list, or for another construct, and what is on it
// and was not refused.
func (l *RefusedList) Faults() (faults []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for name, err := range l.seen {
		what, ok := l.known[name]
		switch {
		case !ok:
			faults = append(faults, fmt.Sprintf("%s: refused, and not on the list: %v", name, err))
		case !strings.Contains(err.Error(), what+" is not supported"):
			faults = append(faults, fmt.Sprintf("%s: refused with %q, the list says %q", name, err, what))
		}
	}
	for name := range l.known {
		if l.seen[name] == nil {
			faults = append(faults, name+" is not refused: take its line out of the list")
		}
	}
	slices.Sort(faults)
	return faults
}
