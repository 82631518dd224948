package wire

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"sync"
)

// SchemeHMACSHA256 is the one signature scheme that front ends use.
const SchemeHMACSHA256 = "hmac-sha256"

// A Signer signs and verifies the four JSON parts of messages. With an empty key messages are not
// signed. It is safe for use by several goroutines at once.
type Signer struct {
	pool  sync.Pool // of hash.Hash; nil New: no key
	keyed bool
}

// A SchemeError names a signature scheme that is not known.
type SchemeError struct{ Scheme string }

func (e *SchemeError) Error() string {
	return fmt.Sprintf("wire: signature scheme %q is not supported: use %q", e.Scheme, SchemeHMACSHA256)
}

// NewSigner makes a signer. Errors: *SchemeError.
func NewSigner(scheme string, key []byte) (*Signer, error) {
	s := &Signer{keyed: len(key) > 0}
	if !s.keyed {
		return s, nil
	}
	if scheme != SchemeHMACSHA256 {
		return nil, &SchemeError{Scheme: scheme}
	}
	s.pool.New = func() any { return hmac.New(sha256.New, key) }
	return s, nil
}

// Sign gives the signature in hexadecimal, empty without a key.
func (s *Signer) Sign(parts ...[]byte) []byte {
	if !s.keyed {
		return nil
	}
	return hex.AppendEncode(nil, s.sum(parts))
}

func (s *Signer) sum(parts [][]byte) []byte {
	h := s.pool.Get().(hash.Hash)
	defer s.pool.Put(h)
	h.Reset()
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// Verify tells, in time that does not depend on where they differ, whether the signature is right.
func (s *Signer) Verify(signature []byte, parts ...[]byte) bool {
	if !s.keyed {
		return true
	}
	got := make([]byte, sha256.Size)
	if len(signature) != 2*sha256.Size {
		return false
	}
	if _, err := hex.Decode(got, signature); err != nil {
		return false
	}
	return hmac.Equal(got, s.sum(parts))
}

// maxSeen bounds how many signatures are remembered against replays.
const maxSeen = 1 << 16

// A ReplayGuard remembers the signatures it has seen: two generations of half of maxSeen each, so
// that forgetting the older ones costs nothing at a time. Its zero value is ready for use.
type ReplayGuard struct {
	mu         sync.Mutex
	young, old map[string]struct{}
}

// Fresh tells whether the signature was not seen before, and remembers it. Without a signature
// nothing is a replay.
func (g *ReplayGuard) Fresh(signature []byte) bool {
	if len(signature) == 0 {
		return true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key := string(signature)
	if _, ok := g.young[key]; ok {
		return false
	}
	if _, ok := g.old[key]; ok {
		return false
	}
	if g.young == nil || len(g.young) >= maxSeen/2 {
		g.old, g.young = g.young, make(map[string]struct{})
	}
	g.young[key] = struct{}{}
	return true
}
