package transport

import (
	"bytes"
	"slices"
	"sync"
)

// subscriptions are the topics that a peer wants, each as often as it asked.
type subscriptions struct {
	mu    sync.Mutex
	limit int
	count map[string]int
}

// maxTopic bounds a topic.
const maxTopic = 1024

// add notes a topic, after welcome: nothing matches in between.
func (s *subscriptions) add(topic []byte, welcome func()) error {
	if len(topic) > maxTopic {
		return refuse("topic of bytes", len(topic), "at most %d", maxTopic)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	welcome()
	if s.count == nil {
		s.count = map[string]int{}
	}
	if s.count[string(topic)] == 0 && len(s.count) >= s.limit {
		return refuse("topics of a peer", len(s.count)+1, "at most %d", s.limit)
	}
	s.count[string(topic)]++
	return nil
}

func (s *subscriptions) remove(topic []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := s.count[string(topic)]; n > 1 {
		s.count[string(topic)] = n - 1
	} else {
		delete(s.count, string(topic))
	}
}

// match reports whether a message with this topic is wanted.
func (s *subscriptions) match(topic []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for prefix := range s.count {
		if bytes.HasPrefix(topic, []byte(prefix)) {
			return true
		}
	}
	return false
}

// wanted are the messages whose first frame matches.
func (s *subscriptions) wanted(messages [][][]byte) (wanted [][][]byte, every bool) {
	for _, m := range messages {
		if s.match(m[0]) {
			wanted = append(wanted, m)
		}
	}
	return wanted, len(wanted) == len(messages)
}

// subscription reads a message of a subscriber: in ZMTP 3.0 they carry 1 or 0 and the topic.
func (p *peer) subscription(body []byte, more bool) error {
	if len(body) == 0 || more || body[0] > 1 {
		return nil // no subscription; nothing that is published asks for an answer
	}
	if body[0] == 0 {
		p.topics.remove(body[1:])
		return nil
	}
	return p.subscribe(body[1:])
}

// subscribe notes a topic. The welcome is the first that a peer gets of it, and whoever has the
// welcome misses nothing that is published later.
func (p *peer) subscribe(topic []byte) error {
	p.awaitRead()
	p.l.heard(p)
	return p.topics.add(topic, func() {
		if w := p.l.config.Welcome; w != nil {
			if frames := w(topic); len(frames) > 0 {
				p.push(appendMessage(nil, frames), false)
			}
		}
	})
}

// appendMessage appends the bytes of a multipart message.
func appendMessage(dst []byte, frames [][]byte) []byte {
	size := 0
	for _, f := range frames {
		size += maxFrameHeader + len(f)
	}
	dst = slices.Grow(dst, size)
	for i, f := range frames {
		flags := byte(flagMore)
		if i == len(frames)-1 {
			flags = 0
		}
		dst = appendFrame(dst, flags, f)
	}
	return dst
}
