package wire

import (
	"crypto/sha256"
	"sync"
)

// remembered is how many messages are known at least against replays: as many as ipykernel knows.
const remembered = 1 << 16

// A digest stands for a signature of any length.
type digest [16]byte

// A ReplayGuard knows messages that came before by their signatures, in two generations: when the
// young one is full the old one is forgotten. Its zero value is ready for use.
type ReplayGuard struct {
	mu         sync.Mutex
	young, old map[digest]struct{}
}

// Fresh reports whether a message did not come before, and remembers it. Without a signature
// nothing is a replay.
func (g *ReplayGuard) Fresh(signature []byte) bool {
	if len(signature) == 0 {
		return true
	}
	sum := sha256.Sum256(signature)
	key := digest(sum[:])
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, known := g.young[key]; known {
		return false
	}
	if _, known := g.old[key]; known {
		return false
	}
	if g.young == nil || len(g.young) == remembered {
		g.old, g.young = g.young, make(map[digest]struct{})
	}
	g.young[key] = struct{}{}
	return true
}
