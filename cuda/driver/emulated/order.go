package emulated

import "slices"

// What is before what is said by clocks: for each stream the number of the last operation that is
// before. An operation is behind those of its own stream, those of others that it or an earlier one
// of its stream waited for, and those that the host knew to be done when it enqueued it. What the
// device happens to do first says nothing.

// A tick is the n-th operation of a stream, from 1.
type tick struct {
	stream *stream
	n      uint64
}

// A clock has one tick a stream. It is replaced, never changed.
type clock []tick

func (c clock) covers(t tick) bool {
	for _, x := range c {
		if x.stream == t.stream {
			return x.n >= t.n
		}
	}
	return false
}

// join gives the clock of what is behind both.
func (c clock) join(others ...tick) clock {
	joined := c
	for _, t := range others {
		if t.n == 0 || joined.covers(t) {
			continue
		}
		i := slices.IndexFunc(joined, func(x tick) bool { return x.stream == t.stream })
		joined = slices.Clone(joined)
		if i < 0 {
			joined = append(joined, t)
		} else {
			joined[i] = t
		}
	}
	return joined
}

// clock is the clock of what comes behind an operation; of nil there is nothing.
func (o *op) clock() clock {
	if o == nil || o.stream == nil || o.stream.ctx.deeds == nil {
		return nil
	}
	return o.before.join(tick{o.stream, o.n})
}

// order is what a context knows of its streams; guarded by the context's mu.
type order struct {
	host     clock // what the host knows to be done
	calls    clock // what the host knew when the last host function ended: it may have been let go by that
	departed clock // streams that were destroyed
	streams  int   // streams in use
	numbers  int   // streams made
}

// tickLocked gives an operation its place in its stream.
func (s *stream) tickLocked(o *op, after []*op) {
	if !s.used && !o.sync {
		s.used = true
		s.ctx.order.streams++
	}
	s.n++
	for _, a := range after {
		if a != nil && a.stream != nil && a.stream != s {
			s.before = s.before.join(a.before...).join(tick{a.stream, a.n})
		}
	}
	s.before = s.before.join(o.joins...)
	o.n, o.before, o.host = s.n, s.before, s.ctx.order.host
}

// spareLocked says that nothing was enqueued in the stream and it begins to record: it is not in
// use.
func (s *stream) spareLocked() {
	if s.used && s.n == 0 {
		s.used = false
		s.ctx.order.streams--
	}
}

func (s *stream) departLocked() {
	c := s.ctx
	c.order.departed = c.order.departed.join(tick{s, s.n})
	if s.used {
		s.used = false
		c.order.streams--
	}
}

// several reports whether what runs is compared with what else runs: while one stream is in use
// there is nothing to compare.
func (c *context) several() bool {
	if c.deeds == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.streams > 1
}

// everything is the clock of what comes behind all that was enqueued.
func (c *context) everything() clock {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.deeds == nil || c.order.streams < 2 {
		return nil
	}
	all := c.order.departed.join(tick{c.standard, c.standard.n})
	for s := range c.streams {
		all = all.join(tick{s, s.n})
	}
	return all
}

// know notes that the host has seen that these are done.
func (c *context) know(done clock) {
	if c.deeds == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.host = c.order.host.join(done...)
}

// callHost runs a host function. What it tells others is behind what was before it, and what is
// behind it comes behind all that the host knew when it ended, which may have waited for that.
func (c *context) callHost(before clock, call func() error) error {
	c.know(before)
	err := call()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.calls = c.order.host
	return err
}

// calls is what was known when the last host function ended.
func (c *context) calls() clock {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.order.calls
}

// knowAll notes that the host has waited for everything that was enqueued before.
func (c *context) knowAll(all clock) {
	if c.deeds == nil {
		return
	}
	if !c.queue.idle() {
		c.know(all)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.order.host = c.order.host.join(all...); c.order.streams < 2 {
		c.order.host, c.order.departed, c.order.calls = nil, nil, nil
		c.deeds.clear()
	}
}
