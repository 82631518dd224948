package vm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// mixLength is how many opcodes a report's table lists.
const mixLength = 12

// Table is the launch's card: its instruction mix, and as notes what it did to memory.
func (r *Report) Table() display.Table {
	t := display.Table{
		Caption: fmt.Sprintf("%s, grid %v, block %v", driver.KernelName(r.Kernel), r.Grid, r.Block),
		Columns: []display.Column{{Title: "instruction", Kind: display.Code}, {Title: "lanes", Kind: display.Number}, {Title: "share", Kind: display.Number}},
		Notes:   []string{fmt.Sprintf("%d lane instructions in %v on the emulated device.", r.LaneInstructions, r.Duration.Round(time.Microsecond))},
	}
	c := r.Counters
	if c == nil {
		return t
	}
	for i, name := range c.mix() {
		if i == mixLength {
			t.Notes = append(t.Notes, fmt.Sprintf("%d more opcodes are not listed.", len(c.Instructions)-mixLength))
			break
		}
		n := c.Instructions[name]
		t.Add(name, n, fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(r.LaneInstructions, 1))))
	}
	t.Notes = append(t.Notes, c.notes()...)
	return t
}

// mix names the opcodes, the most frequent first.
func (c *Counters) mix() []string {
	return slices.SortedFunc(maps.Keys(c.Instructions), func(x, y string) int {
		return cmp.Or(cmp.Compare(c.Instructions[y], c.Instructions[x]), cmp.Compare(x, y))
	})
}

func (c *Counters) notes() []string {
	var notes []string
	if c.GlobalRequests > 0 {
		notes = append(notes, fmt.Sprintf("Global memory: %d requests of warps, %.1f sectors of 32 bytes each, %d bytes asked for, %.0f %% of those moved.",
			c.GlobalRequests, float64(c.GlobalSectors)/float64(c.GlobalRequests), c.GlobalBytes, 100*float64(c.GlobalBytes)/float64(32*max(c.GlobalSectors, 1))))
	}
	if c.SharedRequests > 0 {
		notes = append(notes, fmt.Sprintf("Shared memory: %d requests of warps, %d more turns for bank conflicts.", c.SharedRequests, c.BankConflicts))
	}
	return append(notes, fmt.Sprintf("Branches at which lanes parted: %d.", c.Divergences))
}
