package wire

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"sync"
)

// SchemeHMACSHA256 is the signature scheme that front ends use unless they are configured
// otherwise.
const SchemeHMACSHA256 = "hmac-sha256"

// schemes are those that Jupyter's Session.signature_scheme may name, but for hashes that are
// broken.
var schemes = map[string]func() hash.Hash{
	"hmac-sha224": sha256.New224, SchemeHMACSHA256: sha256.New, "hmac-sha384": sha512.New384, "hmac-sha512": sha512.New,
	"hmac-sha3_256": func() hash.Hash { return sha3.New256() }, "hmac-sha3_384": func() hash.Hash { return sha3.New384() },
	"hmac-sha3_512": func() hash.Hash { return sha3.New512() },
}

// Schemes lists the signature schemes that are known.
func Schemes() []string { return slices.Sorted(maps.Keys(schemes)) }

// A Signer signs and verifies the four JSON parts of messages. With an empty key messages are not
// signed. It is safe for use by several goroutines at once.
type Signer struct {
	pool  sync.Pool // of hash.Hash; nil New: no key
	keyed bool
}

// A SchemeError names a signature scheme that is not known.
type SchemeError struct{ Scheme string }

func (e *SchemeError) Error() string {
	return fmt.Sprintf("wire: signature scheme %q is not supported: use one of %q", e.Scheme, Schemes())
}

// NewSigner makes a signer. Errors: *SchemeError.
func NewSigner(scheme string, key []byte) (*Signer, error) {
	s := &Signer{keyed: len(key) > 0}
	if !s.keyed {
		return s, nil
	}
	of, ok := schemes[scheme]
	if !ok {
		return nil, &SchemeError{Scheme: scheme}
	}
	s.pool.New = func() any { return hmac.New(of, key) }
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

// Verify tells, in time that does not depend on where they differ, whether the signature is right:
// the one text that Sign gives, because another spelling of it would pass for another message.
func (s *Signer) Verify(signature []byte, parts ...[]byte) bool {
	return !s.keyed || hmac.Equal(signature, s.Sign(parts...))
}
