package conformance

import (
	"bufio"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Slow is what a list says of a program that passes, but takes a process more than SlowFrom of
// processor time: it is run by itself only.
const Slow Verdict = "slow"

// SlowFrom is from where on a program may be listed as slow: what a faster machine does in less is
// not slow yet.
const SlowFrom = 5 * time.Second

// Expected is a list of what does not pass, or takes long, and of the counts that must hold.
type Expected struct {
	Files   map[string]Result
	AtLeast map[Verdict]int
	AtMost  map[Verdict]int
}

// ParseExpected reads a list: a line for each file, with its verdict and the reason why, and lines
// "at least 9 passed", "at most 0 wrong". Text after # is comment.
func ParseExpected(text string) (*Expected, error) {
	e := &Expected{Files: map[string]Result{}, AtLeast: map[Verdict]int{}, AtMost: map[Verdict]int{}}
	sc := bufio.NewScanner(strings.NewReader(text))
	for n := 1; sc.Scan(); n++ {
		line, _, _ := strings.Cut(sc.Text(), "#")
		if strings.TrimSpace(line) != "" && !e.count(line) && !e.file(line) {
			return nil, fmt.Errorf("line %d: want \"file verdict reason\" or \"at least|most number verdict\", found %q", n,
				sc.Text())
		}
	}
	return e, sc.Err()
}

func (e *Expected) count(line string) bool {
	f := strings.Fields(line)
	bounds := map[string]map[Verdict]int{"least": e.AtLeast, "most": e.AtMost}
	if len(f) != 4 || f[0] != "at" || bounds[f[1]] == nil {
		return false
	}
	n, err := strconv.Atoi(f[2])
	bounds[f[1]][Verdict(f[3])] = n
	return err == nil && slices.Contains([]Verdict{Passed, RefusedToRun, Wrong, Crashed, Unfinished, Slow}, Verdict(f[3]))
}

func (e *Expected) file(line string) bool {
	f := strings.Fields(line)
	if len(f) < 3 || !slices.Contains([]Verdict{RefusedToRun, Wrong, Crashed, Unfinished, Slow}, Verdict(f[1])) {
		return false
	}
	e.Files[f[0]] = Result{File: f[0], Verdict: Verdict(f[1]), Detail: strings.Join(f[2:], " ")}
	return true
}

// Slow reports whether the list calls a file slow.
func (e *Expected) Slow(file string) bool { return e.Files[file].Verdict == Slow }

// Faults tells what is new against the list: a program that does not pass and is not named, or not
// as it is, and a named one that passes, whose line must go.
func (e *Expected) Faults(results []Result) (faults []string) {
	for _, r := range results {
		k, named := e.Files[r.File]
		switch {
		case named && k.Verdict == Slow && r.Verdict == Passed:
			if r.Processor < SlowFrom {
				faults = append(faults, fmt.Sprintf("%s takes %.1f s: take its line out of the list", r.File,
					r.Processor.Seconds()))
			}
		case r.Verdict == Passed && named:
			faults = append(faults, fmt.Sprintf("%s passes: take its line out of the list", r.File))
		case r.Verdict != Passed && !named:
			faults = append(faults, fmt.Sprintf("%s %s: %s", r.File, r.Verdict, r.Detail))
		case named && r.Verdict != k.Verdict:
			faults = append(faults, fmt.Sprintf("%s %s, the list says %s: %s", r.File, r.Verdict, k.Verdict, r.Detail))
		}
	}
	return faults
}

// CountFaults tells which of the list's counts do not hold for the results of a whole run, and
// which lines name a program that there is none of.
func (e *Expected) CountFaults(results []Result, files []string) (faults []string) {
	n := Count(results, "")
	for _, v := range []Verdict{Passed, RefusedToRun, Wrong, Crashed, Unfinished} {
		if least := e.AtLeast[v]; n[v] < least {
			faults = append(faults, fmt.Sprintf("%d %s, at least %d must be", n[v], v, least))
		}
		if most, ok := e.AtMost[v]; ok && n[v] > most {
			faults = append(faults, fmt.Sprintf("%d %s, at most %d may be", n[v], v, most))
		}
	}
	for name := range e.Files {
		if !slices.Contains(files, name) {
			faults = append(faults, name+" is no program of this distribution: take its line out of the list")
		}
	}
	slices.Sort(faults)
	return faults
}

// Count sums up verdicts of the files below a folder ("" for all).
func Count(results []Result, folder string) map[Verdict]int {
	n := map[Verdict]int{}
	for _, r := range results {
		if strings.HasPrefix(r.File, folder) {
			n[r.Verdict]++
		}
	}
	return n
}
