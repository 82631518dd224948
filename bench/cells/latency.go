package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// fifteen is a cell of 15 lines as people write them; NUMBER makes each different from the one
// before.
const fifteen = `total := NUMBER
type point struct{ x, y int }
func (p point) String() string { return fmt.Sprint(p.x, ",", p.y) }
func norm(p point) int {
	return p.x*p.x + p.y*p.y
}
points := []point{{1, 2}, {3, 4}}
for i, p := range points {
	total += norm(p) * i
}
m := map[string]int{}
for _, w := range strings.Fields("a b a") {
	m[w]++
}
fmt.Println(total, points, m)`

const latencyCells = 300

// latency answers the line "latency" with the nanoseconds that check and compile of each cell took.
func latency(line string) (string, bool) {
	if line != "latency" {
		return "", false
	}
	c, err := newCells()
	if err != nil {
		return "error: " + oneLine(err), true
	}
	var all []string
	for n := range latencyCells {
		source := strings.Replace(fifteen, "NUMBER", strconv.Itoa(n), 1)
		begin := time.Now()
		if _, err := c.load(source); err != nil {
			return "error: " + oneLine(err), true
		}
		all = append(all, strconv.FormatInt(int64(time.Since(begin)), 10))
	}
	return strings.Join(all, " "), true
}

// times are of the same thing again and again, in order.
type times []time.Duration

func measureLatency(p *peers) (times, error) {
	said, err := p.vm.ask("latency")
	if err != nil {
		return nil, err
	}
	var all times
	for _, f := range strings.Fields(said) {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("latency: %s", said)
		}
		all = append(all, time.Duration(n))
	}
	return all, nil
}

func (t times) print(w io.Writer, what, target string) {
	sorted := slices.Sorted(slices.Values(t))
	at := func(q int) time.Duration { return sorted[len(sorted)*q/100].Round(time.Microsecond) }
	fmt.Fprintf(w, "%s, %d times, wall clock: the first %s, median %s (target %s), 90th percentile %s\n",
		what, len(t), t[0].Round(time.Microsecond), at(50), target, at(90))
}
