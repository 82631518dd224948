package egraph

import (
	"testing"
	"time"
)

// The sums of a report's tables are those of their rows, and the total is the run's. // U6
func TestReportsAddUp(t *testing.T) {
	for _, threads := range []int{1, 3} {
		g, rules := mathGraph(t)
		r := g.Run(rules, Iterations(9), Threads(threads), crewFromStart, windowsFromStart, smallerTasks)
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		if r.Beside() <= 0 || r.Beside() >= r.Time {
			t.Errorf("%v of %v beside the iterations", r.Beside(), r.Time)
		}
		iterations, perRule := r.Table(), r.RuleTable()
		for _, c := range []struct {
			rows   [][]any
			footer []any
			column int
		}{
			{iterations.Rows, iterations.Footer, 1}, {iterations.Rows, iterations.Footer, 2},
			{iterations.Rows, iterations.Footer, 5}, {iterations.Rows, iterations.Footer, 6},
			{iterations.Rows, iterations.Footer, 7}, {iterations.Rows, iterations.Footer, 8},
			{perRule.Rows, perRule.Footer, 1}, {perRule.Rows, perRule.Footer, 2}, {perRule.Rows, perRule.Footer, 3},
			{perRule.Rows, perRule.Footer, 4}, {perRule.Rows, perRule.Footer, 5}, {perRule.Rows, perRule.Footer, 6},
		} {
			sum := 0
			for _, row := range c.rows {
				sum += number(row[c.column])
			}
			if want := number(c.footer[c.column]); sum != want {
				t.Errorf("column %d: %d, the footer says %d", c.column, sum, want)
			}
		}
		// What the rules applied and merged is what the iterations did, and their rows add up in time too.
		_, _, apply, _ := r.Phases()
		if got := time.Duration(number(perRule.Footer[6])); got-apply > time.Millisecond || apply-got > time.Millisecond {
			t.Errorf("rules took %v, applying %v", got, apply)
		}
		for of, column := range map[int]int{1: 1, 2: 4} {
			if a, b := number(iterations.Footer[of]), number(perRule.Footer[column]); a != b {
				t.Errorf("iterations have %d, rules %d", a, b)
			}
		}
	}
}

// number is that of a cell, 0 where it is empty.
func number(cell any) int {
	switch n := cell.(type) {
	case int:
		return n
	case time.Duration:
		return int(n)
	}
	return 0
}
