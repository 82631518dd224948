package kernel

import (
	"context"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// TestHalfACharacterWaits is that text that has waited goes without the beginning of a character: its rest may come later, as where
// somebody writes byte by byte.
func TestHalfACharacterWaits(t *testing.T) {
	signer, err := wire.NewSigner("hmac-sha256", []byte("key"))
	if err != nil {
		t.Fatal(err)
	}
	p := newPublisher(context.Background(), signer, "s")
	left := func() string {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.text.String()
	}
	p.stream(nil, false, []byte("goes at once"))
	p.stream(nil, false, []byte("waits \xc3"))
	for end := time.Now().Add(5 * time.Second); left() != "\xc3" && time.Now().Before(end); {
		time.Sleep(streamPause)
	}
	time.Sleep(2 * streamPause)
	if got := left(); got != "\xc3" {
		t.Errorf("%q waits", got)
	}
	p.stream(nil, false, []byte("\xa9"))
	if got := left(); got != "" && got != "é" {
		t.Errorf("%q waits", got)
	}
	p.flush()
	if got := left(); got != "" {
		t.Errorf("%q is left after a flush", got)
	}
}
