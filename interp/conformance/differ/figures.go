package differ

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Figures are what a hunt has seen.
type Figures struct {
	mu                   sync.Mutex
	programs, statements int
	verdicts             map[string]map[Verdict]int // by engine
}

func (f *Figures) program(statements int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.programs++
	f.statements += statements
}

func (f *Figures) verdict(engine string, v Verdict) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.verdicts == nil {
		f.verdicts = map[string]map[Verdict]int{}
	}
	if f.verdicts[engine] == nil {
		f.verdicts[engine] = map[Verdict]int{}
	}
	f.verdicts[engine][v]++
}

// String is a line of how many programs there were, and one for each engine.
func (f *Figures) String() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%d programs, %d statements", f.programs, f.statements)
	for _, engine := range slices.Sorted(maps.Keys(f.verdicts)) {
		fmt.Fprintf(&b, "\n%s:", engine)
		for i, v := range Verdicts {
			fmt.Fprintf(&b, "%s %d %s", strings.Repeat(",", min(i, 1)), f.verdicts[engine][v], v)
		}
	}
	return b.String()
}
