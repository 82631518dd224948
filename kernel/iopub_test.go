package kernel

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// TestHalfACharacterWaits is that text that has waited goes without the beginning of a character:
// its rest may come later, as where somebody writes byte by byte.
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

// TestChangesBetweenStreamsCount is that text which goes from one stream to the other is as many
// messages, and gathered text is one.
func TestChangesBetweenStreamsCount(t *testing.T) {
	signer, err := wire.NewSigner("hmac-sha256", []byte("key"))
	if err != nil {
		t.Fatal(err)
	}
	p := newPublisher(context.Background(), signer, "s")
	changing, gathered := 0, 0
	for i := range 1000 {
		changing += p.stream(nil, i%2 == 0, []byte("a line\n"))
	}
	p.flush()
	began := time.Now()
	for range 1000 {
		gathered += p.stream(nil, false, []byte("a line\n"))
	}
	if most := 2 + int(time.Since(began)/streamPause); changing < 999 || gathered > most {
		t.Errorf("%d messages of 1,000 lines that change, %d of 1,000 that do not, want 999 and at most %d", changing,
			gathered, most)
	}
	for range messageBurst {
		p.bucket.take(1)
	}
	if p.bucket.take(messageRate) < time.Second/2 {
		t.Error("nobody waits")
	}
	if p.bucket.fill(); p.bucket.take(messageBurst) > 0 {
		t.Error("the next request waits for the one before")
	}
}

// In no three seconds do a server's kernels send more bytes of streams than it passes on, whatever
// the sizes; a sender that stays below never waits. // U7
func TestBytesOfStreamsAreMetered(t *testing.T) {
	m, now := &meter{}, time.Now()
	random := rand.New(rand.NewPCG(7, 7))
	var sent []parcel
	for range 2000 {
		n := 1 + random.IntN(limitStream)
		sent = append(sent, parcel{now, n})
		now = now.Add(m.take(n, now)).Add(time.Duration(random.IntN(50)) * time.Millisecond)
	}
	for first := range sent {
		sum := 0
		for _, p := range sent[first:] {
			if p.at.Sub(sent[first].at) < limitWindow {
				sum += p.bytes
			}
		}
		if sum > limitBytes+limitStream {
			t.Fatalf("%d bytes within three seconds", sum)
		}
	}
	m.fill()
	for range 1000 {
		if wait := m.take(limitBytes/1000, now); wait > 0 {
			t.Fatalf("%v to wait below the limit", wait)
		}
		now = now.Add(limitWindow / 1000)
	}
	if wait := (*meter)(nil).take(1<<40, now); wait != 0 {
		t.Errorf("without a server: %v", wait)
	}
}
