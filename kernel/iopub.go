package kernel

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/kernel/transport"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

const (
	// streamPause is how long stream output gathers after a message was sent. The first goes at
	// once, and whatever else is published takes what waits before it.
	streamPause = 25 * time.Millisecond
	// holdTime is how long a message may be held that says what has begun.
	holdTime = 2 * time.Millisecond
	// maxStream is the most text in one stream message.
	maxStream = 512 << 10
)

// A publisher sends on the iopub socket, in order. Its methods never wait for subscribers; those
// that cells call are followed by throttle, which does.
type publisher struct {
	ctx     context.Context
	signer  *wire.Signer
	session string
	socket  atomic.Pointer[transport.Socket]
	bucket  bucket
	meter   *meter // nil where no server counts bytes

	mu      sync.Mutex // guards what follows, and the order of messages
	unpaid  int        // bytes of stream messages that throttle has not seen
	held    [][][]byte // messages that go with the next
	text    bytes.Buffer
	parent  *request // of text
	stderr  bool
	flushed time.Time
	timer   *time.Timer
	armed   bool
}

func newPublisher(ctx context.Context, signer *wire.Signer, session string) *publisher {
	p := &publisher{ctx: ctx, signer: signer, session: session, bucket: bucket{tokens: messageBurst, at: time.Now()}}
	p.timer = time.AfterFunc(time.Hour, p.tick)
	p.timer.Stop()
	return p
}

// publish sends a message, after the text that waits and with what is held.
func (p *publisher) publish(parent *request, msgType string, content any, metadata json.RawMessage,
	buffers ...[]byte) error {
	_, err := p.add(true, parent, msgType, content, metadata, buffers)
	return err
}

// hold keeps a message until the next one is sent, or holdTime is over: a short request then costs
// those who listen one read.
func (p *publisher) hold(parent *request, msgType string, content any) error {
	_, err := p.add(false, parent, msgType, content, nil, nil)
	return err
}

// add makes a message, behind the text that waits, and tells how many messages that were.
func (p *publisher) add(now bool, parent *request, msgType string, content any, metadata json.RawMessage,
	buffers [][]byte) (messages int, err error) {
	raw, err := wire.Encode(content)
	if err != nil {
		return 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	messages = p.flushLocked(true) + 1
	err = p.addLocked(parent, msgType, raw, metadata, buffers)
	if now {
		p.releaseLocked()
	} else if !p.armed {
		p.armed = true
		p.timer.Reset(holdTime)
	}
	return messages, err
}

// addLocked makes a message, the next to be released.
func (p *publisher) addLocked(parent *request, msgType string, content, metadata json.RawMessage,
	buffers [][]byte) error {
	m := &wire.Message{
		Identities: [][]byte{[]byte("kernel." + p.session + "." + msgType)},
		Header:     wire.NewHeader(p.session, username, msgType),
		Content:    content, Metadata: metadata, Buffers: buffers,
	}
	if parent != nil {
		m.Parent = parent.header
		m.Header.SubshellID = parent.Header.SubshellID
	}
	frames, err := p.signer.Frames(m)
	if err == nil {
		p.held = append(p.held, frames)
		if msgType == "stream" {
			p.unpaid += sizeOf(frames)
		}
	}
	return err
}

func (p *publisher) releaseLocked() {
	if p.armed {
		p.armed = false
		p.timer.Stop()
	}
	if s := p.socket.Load(); s != nil && len(p.held) > 0 { // before the sockets are open nobody listens
		s.Send(p.held...)
	}
	clear(p.held)
	p.held = p.held[:0]
}

// stream gathers text of a cell, and tells how many messages were made of what waited.
func (p *publisher) stream(parent *request, stderr bool, text []byte) (messages int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text.Len() > 0 && (p.parent != parent || p.stderr != stderr) {
		messages = p.flushLocked(true)
	}
	p.parent, p.stderr = parent, stderr
	p.text.Write(text)
	wait := streamPause - time.Since(p.flushed)
	if wait <= 0 || p.text.Len() >= p.maxText() {
		messages += p.flushLocked(false)
		p.releaseLocked()
	} else if !p.armed {
		p.armed = true
		p.timer.Reset(wait)
	}
	return messages
}

// maxText is the most text in one stream message, in bytes.
func (p *publisher) maxText() int {
	if p.meter != nil {
		return limitStream
	}
	return maxStream
}

// flush sends the text that waits, and what is held.
func (p *publisher) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flushLocked(true)
	p.releaseLocked()
}

// tick sends what has waited. The beginning of a character waits on, for its rest or for what else
// is published.
func (p *publisher) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flushLocked(false)
	p.releaseLocked()
}

// streamContent is the content of a stream message.
func streamContent(name string, text []byte) json.RawMessage {
	b := make([]byte, 0, len(text)+len(text)/16+64)
	b = append(b, `{"name":"`...)
	b = append(b, name...)
	b = append(b, `","text":`...)
	return append(wire.AppendText(b, text), '}')
}

// flushLocked makes stream messages of the text. Unless all is to go, the beginning of a character
// whose rest has not come stays. It tells how many.
func (p *publisher) flushLocked(all bool) (messages int) {
	name := "stdout"
	if p.stderr {
		name = "stderr"
	}
	for p.text.Len() > 0 {
		n := wholeRunes(p.text.Bytes()[:min(p.text.Len(), p.maxText())])
		if n == 0 {
			if !all {
				return messages
			}
			n = p.text.Len()
		}
		content := streamContent(name, p.text.Next(n))
		_ = p.addLocked(p.parent, "stream", content, nil, nil) // its parts are encoded already
		p.flushed = time.Now()
		messages++
	}
	p.text.Reset()
	return messages
}

// wholeRunes is the length of b without an incomplete last character.
func wholeRunes(b []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return len(b) - i
			}
			break
		}
	}
	return len(b)
}

// throttle holds back a cell that publishes faster than subscribers read, or than front ends show.
// Where the cell was interrupted nothing is held back: what is on its way is little.
func (p *publisher) throttle(parent *request, messages int) {
	ctx := p.ctx
	if parent != nil && parent.running != nil && !parent.over.Load() {
		ctx = parent.running
	}
	p.mu.Lock()
	bytes := p.unpaid
	p.unpaid = 0
	p.mu.Unlock()
	if wait := max(p.bucket.take(messages), p.meter.take(bytes, time.Now())); wait > 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
		}
	}
	if s := p.socket.Load(); s != nil {
		s.WaitForRoom(ctx)
	}
}
