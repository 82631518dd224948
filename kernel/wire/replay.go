package wire

import (
	"crypto/sha256"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	// maxSeen bounds how many messages are remembered against replays.
	maxSeen = 1 << 16
	// maxSessions bounds the sessions of which is known what was forgotten.
	maxSessions = 1 << 12
)

// A digest stands for a text of any length.
type digest [16]byte

func digestOf(text []byte) digest {
	sum := sha256.Sum256(text)
	return digest(sum[:16])
}

// A ReplayGuard knows messages that came before. It remembers the signatures of the newest: two generations of half of
// maxSeen each, so that forgetting the older ones costs nothing at a time. Of what it has forgotten it knows, for each
// session, the newest date: a message of that session that is not newer is taken for one of them. Dates in the future tell
// of a clock that was set back, and are not held against whom it belongs to. Messages without a date are known while they
// are remembered. Its zero value is ready for use.
type ReplayGuard struct {
	mu         sync.Mutex
	young, old generation
	forgotten  map[digest]time.Time // the newest date, by session
	before     time.Time            // the newest date of sessions that are not in forgotten any more
}

// A generation is what came in a time.
type generation struct {
	signatures map[digest]struct{}
	newest     map[digest]time.Time // by session
}

// Fresh tells whether a message did not come before, and remembers it. Without a signature nothing is a replay.
func (g *ReplayGuard) Fresh(signature []byte, h Header) bool {
	if len(signature) == 0 {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key, session := digestOf(signature), digestOf([]byte(h.Session))
	if g.young.has(key) || g.old.has(key) {
		return false
	}
	date, dated := parseDate(h.Date)
	if dated && g.maybeForgotten(session, date) {
		return false
	}
	if g.young.signatures == nil || len(g.young.signatures) >= maxSeen/2 {
		g.forget(g.old)
		g.old, g.young = g.young, generation{map[digest]struct{}{}, map[digest]time.Time{}}
	}
	g.young.signatures[key] = struct{}{}
	if dated && date.After(g.young.newest[session]) {
		g.young.newest[session] = date
	}
	return true
}

func (g generation) has(key digest) bool {
	_, ok := g.signatures[key]
	return ok
}

// maybeForgotten tells whether messages of a session that are as new were forgotten.
func (g *ReplayGuard) maybeForgotten(session digest, date time.Time) bool {
	newest, ok := g.forgotten[session]
	if !ok {
		newest = g.before
	}
	return !date.After(newest) && !newest.After(time.Now())
}

// forget keeps of a generation the dates alone.
func (g *ReplayGuard) forget(left generation) {
	if g.forgotten == nil {
		g.forgotten = map[digest]time.Time{}
	}
	for session, date := range left.newest {
		if date.After(g.forgotten[session]) {
			g.forgotten[session] = date
		}
	}
	over := len(g.forgotten) - maxSessions
	if over <= 0 {
		return
	}
	quiet := slices.SortedFunc(maps.Keys(g.forgotten), func(a, b digest) int { return g.forgotten[a].Compare(g.forgotten[b]) })[:over]
	if date := g.forgotten[quiet[over-1]]; date.After(g.before) {
		g.before = date
	}
	for _, session := range quiet {
		delete(g.forgotten, session)
	}
}

// parseDate reads a date as clients write them: those of Python may lack the zone, which is then UTC.
func parseDate(text string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
