package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// Table shows the groups with their bytes and the launches they avoid.
func (p FusionPlan) Table() display.Table {
	required := "required"
	if p.Mode == Dataflow {
		required = "peak"
	}
	t := display.NewTable(p.caption(),
		display.Column{Title: "launch", Kind: display.Number}, display.Column{Title: "stages"},
		display.Column{Title: "layout", Kind: display.Code},
		display.Column{Title: required, Unit: "bytes", Kind: display.Number},
		display.Column{Title: "of budget", Kind: display.Number},
		display.Column{Title: "avoided", Unit: "bytes", Kind: display.Number},
		display.Column{Title: "launches avoided", Kind: display.Number})
	for i, g := range p.Groups {
		t.Add(i, idList(g.Stages), fmt.Sprintf("%#x", g.Layout), g.Required, percent(g.Required, p.Budget), g.Avoided,
			len(g.Stages)-1)
	}
	t.Footer = []any{nil, count(p.Launches()+p.AvoidedLaunches, "stage"), nil, nil, nil, p.Avoided, p.AvoidedLaunches}
	if p.Mode == Dataflow {
		t.Note(fmt.Sprintf("Greedy under the same edges: %s, %s bytes avoided.", count(p.Baseline.Launches, "launch"),
			number.Text(p.Baseline.Avoided)))
	}
	return *t
}

// number prints figures in sentences as columns of figures do.
var number = display.Column{Kind: display.Number}

func (p FusionPlan) caption() string {
	return fmt.Sprintf("Launch fusion (%s): %s instead of %d, budget %s bytes",
		p.Mode, count(p.Launches(), "launch"), p.Launches()+p.AvoidedLaunches, number.Text(p.Budget))
}

// String is the table as text.
func (p FusionPlan) String() string { return p.Table().Text() }

// count is a number with its noun.
func count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"):
		return strconv.Itoa(n) + " " + noun + "es"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// percent is part of whole with one decimal, rounded down so that 100 % means all of it.
func percent(part, whole uint64) string {
	if whole == 0 {
		return ""
	}
	return decimal(basisPoints(part, whole))
}

// decimal prints basis points as a percentage.
func decimal(bps uint64) string { return fmt.Sprintf("%d.%d %%", bps/100, bps%100/10) }

// idList prints ids, ascending runs as from–to.
func idList(ids []uint32) string {
	var parts []string
	for i := 0; i < len(ids); {
		j := i
		for j+1 < len(ids) && ids[j+1] == ids[j]+1 && ids[j+1] != 0 {
			j++
		}
		if j-i >= 2 {
			parts = append(parts, fmt.Sprintf("%d–%d", ids[i], ids[j]))
			i = j + 1
			continue
		}
		parts = append(parts, strconv.FormatUint(uint64(ids[i]), 10))
		i++
	}
	const most = 12
	if len(parts) > most {
		parts = append(parts[:most], fmt.Sprintf("… (%d stages)", len(ids)))
	}
	return strings.Join(parts, " ")
}

// Table shows the sizes of the queue.
func (p QueuePlan) Table() display.Table {
	return *p.card()
}

func (p QueuePlan) card() *display.Table {
	t := display.NewTable("Device work queue", display.Column{Kind: display.Label}, display.Column{Kind: display.Number},
		display.Column{})
	t.Add("capacity", p.Profile.Capacity, "items").
		Add("initial", p.Profile.Initial, "items").
		Add("occupancy at start", decimal(p.OccupancyBPS), fmt.Sprintf("%d basis points", p.OccupancyBPS)).
		Add("queue", p.Queue, "bytes").
		Add("control", p.Profile.Control, "bytes").
		Add("resident", p.Resident, "bytes").
		Add("budget", p.Profile.Budget, "bytes").
		Add("of budget", percent(p.Resident, p.Profile.Budget), nil)
	if p.FinalOnly {
		t.Note("The host reads the final state only.")
	}
	return t
}

// String is the table as text.
func (p QueuePlan) String() string { return p.Table().Text() }

// Table shows the sizes of the queue and how it drains.
func (p DrainPlan) Table() display.Table {
	strategy := "one launch covers the queue"
	if p.Chunked() {
		strategy = "chunked"
	}
	return *p.card().Add("launches to cover it", p.Chunks, strategy).Add("items a launch", p.ItemsPerChunk, "at most")
}

// String is the table as text.
func (p DrainPlan) String() string { return p.Table().Text() }
