package kernel

import (
	"slices"
	"sync"
)

// maxMemory bounds the cells kept in memory.
const maxMemory = 10_000

// memoryHistory is the history of this session alone.
type memoryHistory struct {
	mu      sync.Mutex
	entries []entry
}

func (h *memoryHistory) present() int64 { return 1 }
func (h *memoryHistory) close() error   { return nil }

func (h *memoryHistory) add(line int64, input, output string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.entries = append(h.entries, entry{1, line, input, output})
	if over := len(h.entries) - maxMemory; over > 0 {
		h.entries = h.entries[over:]
	}
}

func (h *memoryHistory) session(session, start, stop int64) ([]entry, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []entry
	for _, e := range h.entries {
		if e.session == session && e.line >= start && e.line < stop {
			out = append(out, e)
		}
	}
	return out, nil
}

func (h *memoryHistory) last(n int, match func(string) bool, unique bool) ([]entry, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return lastOf(h.entries, n, match, unique), nil
}

// lastOf chooses from entries, oldest first.
func lastOf(entries []entry, n int, match func(string) bool, unique bool) []entry {
	c := newChoice(n, match, unique)
	for i := len(entries) - 1; i >= 0 && !c.full(); i-- {
		c.offer(entries[i])
	}
	return c.oldestFirst()
}

// A choice takes entries, newest first, until it has n (all with n < 0).
type choice struct {
	n      int
	match  func(string) bool
	unique bool
	seen   map[string]bool
	found  []entry
}

func newChoice(n int, match func(string) bool, unique bool) *choice {
	return &choice{n: n, match: match, unique: unique, seen: map[string]bool{}}
}

func (c *choice) full() bool { return c.n >= 0 && len(c.found) >= c.n }

func (c *choice) offer(e entry) {
	if !c.match(e.input) || c.unique && c.seen[e.input] {
		return
	}
	if c.unique {
		c.seen[e.input] = true
	}
	c.found = append(c.found, e)
}

func (c *choice) oldestFirst() []entry {
	slices.Reverse(c.found)
	return c.found
}
