package egraph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/accel"
)

// A StopReason says why a run ended.
type StopReason string

const (
	Saturated      StopReason = StopReason(accel.Saturated)      // no rule changes anything any more
	IterationLimit StopReason = StopReason(accel.IterationLimit) // as many iterations as were asked for
	NodeLimit      StopReason = StopReason(accel.NodeLimit)
	MemoryLimit    StopReason = StopReason(accel.MemoryLimit)
	TimeLimit      StopReason = StopReason(accel.TimeLimit)
	Interrupted    StopReason = StopReason(accel.Interrupted) // Interrupt was called or the context was cancelled
	GoalReached    StopReason = "goal reached"                // Until answered true
	Failed         StopReason = "failed"                      // Report.Err says why
)

// A Report tells what a run did. The graph is usable whatever the reason it stopped for.
type Report struct {
	Stop       StopReason
	Err        error // nil unless Stop is Failed
	Detail     string
	Cut        bool // a limit or an interrupt ended the last iteration before it had seen everything; see MaxTime
	Iterations []Iteration
	Rules      []RuleStats
	Nodes      int // after the run
	Classes    int
	Bytes      int
	Compile    time.Duration // of the rules, part of Time
	Time       time.Duration
	Where      string // "host", or the accelerator that ran the last iterations
	Why        string // why there
	Offload    Offload
}

// Offload is what a run on an accelerator cost beside the iterations: bringing the graph there, the
// time there as the device saw it, bringing it back, and indexing it on the host.
type Offload struct{ Upload, Device, Download, Adopt time.Duration }

// An Iteration is one round of matching all rules, applying the matches and rebuilding.
type Iteration struct {
	Number  int // from 1
	Matches int // found, which does not count what was left out as it was applied before (see FullSearch)
	Applied int // matches whose conditions held
	Unions  int // classes merged by matches; rebuilding merges more
	Nodes   int // after rebuilding
	Classes int
	Prepare time.Duration // indexes
	Match   time.Duration
	Apply   time.Duration
	Rebuild time.Duration
	Where   string // as in Report
}

// Time is the time of all phases.
func (i *Iteration) Time() time.Duration { return i.Prepare + i.Match + i.Apply + i.Rebuild }

// RuleStats tells what one rule did in a run.
type RuleStats struct {
	Rule    string
	Matches int
	Applied int
	Nodes   int // rows its right side added
	Unions  int
	Held    int // iterations in which the scheduler dropped or skipped it
	// iterations in which it was searched only for matches with something new in them; Matches counts only these
	Delta int
	Time  time.Duration
}

// String is the outcome in one line and the iterations as a table.
func (r *Report) String() string {
	var b strings.Builder
	b.WriteString(r.Summary() + "\n")
	fmt.Fprintf(&b, "%4s %10s %10s %10s %10s %10s %10s %10s\n", "iter", "matches", "nodes", "classes", "match", "apply",
		"rebuild", "total")
	for _, i := range r.Iterations {
		fmt.Fprintf(&b, "%4d %10d %10d %10d %10s %10s %10s %10s\n", i.Number, i.Matches, i.Nodes, i.Classes,
			brief(i.Prepare+i.Match), brief(i.Apply), brief(i.Rebuild), brief(i.Time()))
	}
	if len(r.Iterations) > 0 {
		prepare, match, apply, rebuild := r.Phases()
		fmt.Fprintf(&b, "%37s %43s\n", "beside", brief(r.Beside()))
		fmt.Fprintf(&b, "%37s %10s %10s %10s %10s\n", "all", brief(prepare+match), brief(apply), brief(rebuild),
			brief(r.Time))
	}
	return b.String()
}

// Summary is the outcome in one line.
func (r *Report) Summary() string {
	s := fmt.Sprintf("stopped: %s after %d iterations, %s; %d nodes in %d classes", r.Stop, len(r.Iterations),
		brief(r.Time), r.Nodes, r.Classes)
	if r.Detail != "" {
		s += " (" + r.Detail + ")"
	}
	if r.Where != onHost {
		s += fmt.Sprintf("; on %s since %s: %s there, %s up, %s down, %s to index", r.Where, r.Why, brief(r.Offload.Device),
			brief(r.Offload.Upload), brief(r.Offload.Download), brief(r.Offload.Adopt))
	}
	if r.Err != nil {
		s += ": " + r.Err.Error()
	}
	return s
}

// brief rounds a duration to three or four figures.
func brief(d time.Duration) string {
	unit := time.Duration(1)
	for d/unit >= 10_000 {
		unit *= 10
	}
	return d.Round(unit).String()
}

// onHost is where runs are that no accelerator took.
const onHost = "host"

// Phases gives the time of a whole run by phase.
func (r *Report) Phases() (prepare, match, apply, rebuild time.Duration) {
	for _, i := range r.Iterations {
		prepare += i.Prepare
		match += i.Match
		apply += i.Apply
		rebuild += i.Rebuild
	}
	return
}

// dearest gives the rules by time, the dearest first.
func (r *Report) dearest() []RuleStats {
	rules := slices.Clone(r.Rules)
	slices.SortStableFunc(rules, func(a, b RuleStats) int { return cmp.Compare(b.Time, a.Time) })
	return rules
}
