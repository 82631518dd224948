package egraph

import "math"

// A Scheduler decides how many matches of each rule an iteration applies.
type Scheduler interface {
	// Limit is the number of matches of a rule above which the iteration drops them all; 0 skips the
	// rule, negative is no limit.
	Limit(iteration int, rule string) int
	// Matched tells how many matches a rule had, or that they were more than its limit.
	Matched(iteration int, rule string, matches int, over bool)
	// Resume is asked when an iteration changed nothing: true where rules were held back and now are
	// not, so that the run is not yet saturated.
	Resume(iteration int) bool
}

// Simple applies every match.
func Simple() Scheduler { return simple{} }

type simple struct{}

func (simple) Limit(int, string) int          { return -1 }
func (simple) Matched(int, string, int, bool) {}
func (simple) Resume(int) bool                { return false }

// Backoff drops the matches of a rule that has more than limit of them and bans the rule for ban
// iterations; each time both double for that rule. It keeps rules that explode from starving others
// (egg's BackoffScheduler, whose usual values are 1000 and 5).
func Backoff(limit, ban int) Scheduler {
	return &backoff{limit: limit, ban: ban, rules: map[string]*backoffRule{}}
}

type backoff struct {
	limit, ban int
	rules      map[string]*backoffRule // those that were over their limit
}

type backoffRule struct {
	until, times int
}

func (b *backoff) Limit(iteration int, rule string) int {
	r := b.rules[rule]
	if r == nil {
		return b.limit
	}
	if iteration < r.until {
		return 0
	}
	return doubled(b.limit, r.times)
}

func (b *backoff) Matched(iteration int, rule string, _ int, over bool) {
	if over {
		r := b.rules[rule]
		if r == nil {
			r = &backoffRule{}
			b.rules[rule] = r
		}
		r.until = iteration + doubled(b.ban, r.times)
		r.times++
	}
}

// Resume lifts the bans by as much as lets the first rule back in.
func (b *backoff) Resume(iteration int) bool {
	first := math.MaxInt
	for _, r := range b.rules {
		if r.until > iteration {
			first = min(first, r.until)
		}
	}
	if first == math.MaxInt {
		return false
	}
	for _, r := range b.rules {
		if r.until > iteration {
			r.until -= first - iteration
		}
	}
	return true
}

func doubled(n, times int) int {
	if times > 30 || n > math.MaxInt>>(times+1) {
		return math.MaxInt
	}
	return n << times
}

// Weighted shares a budget of matches an iteration among the rules by their weights: a rule whose
// matches pass its share waits, and gets twice the share when it is next asked.
func Weighted(budget int, rules *Rules) Scheduler {
	rules.made("Weighted")
	w := &weighted{share: map[string]int{}}
	total := 0.0
	for _, r := range rules.list {
		total += r.weight
	}
	for _, r := range rules.list {
		w.share[r.name] = max(1, int(float64(budget)*r.weight/total))
	}
	return w
}

type weighted struct {
	share map[string]int
	held  bool
}

func (w *weighted) Limit(_ int, rule string) int {
	if share, ok := w.share[rule]; ok {
		return share
	}
	return -1
}

func (w *weighted) Matched(_ int, rule string, _ int, over bool) {
	if over {
		w.share[rule] = doubled(w.share[rule], 1)
		w.held = true
	}
}

func (w *weighted) Resume(int) bool {
	held := w.held
	w.held = false
	return held
}
