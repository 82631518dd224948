package transport

import (
	"bytes"
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

func (s *subscriptions) add(topic []byte) error {
	if len(topic) > maxTopic {
		return refuse("topic of bytes", len(topic), "at most %d", maxTopic)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
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

// match tells whether a message with this topic is wanted.
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

// subscribe notes a topic, after the welcome was queued, so that nothing comes before it.
func (p *peer) subscribe(topic []byte) error {
	if w := p.l.config.Welcome; w != nil {
		if frames := w(topic); len(frames) > 0 {
			p.push(joinFrames(frames), false)
		}
	}
	return p.topics.add(topic)
}

// joinFrames gives the bytes of a multipart message.
func joinFrames(frames [][]byte) []byte {
	var b []byte
	for i, f := range frames {
		flags := byte(flagMore)
		if i == len(frames)-1 {
			flags = 0
		}
		b = appendFrame(b, flags, f)
	}
	return b
}
