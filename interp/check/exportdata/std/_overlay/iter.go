package iter

type Seq[V any] func(yield func(V) bool)

type Seq2[K, V any] func(yield func(K, V) bool)

// Pull runs seq on a goroutine of its own that stands still while its consumer runs: the two hand
// each other the turn over unbuffered channels.
func Pull[V any](seq Seq[V]) (next func() (V, bool), stop func()) {
	p := &puller[V]{seq: seq, turn: make(chan bool), out: make(chan pulled[V])}
	return p.next, p.stop
}

func Pull2[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	type pair struct {
		k K
		v V
	}
	one, stop := Pull(func(yield func(pair) bool) {
		seq(func(k K, v V) bool { return yield(pair{k, v}) })
	})
	return func() (K, V, bool) {
		p, ok := one()
		return p.k, p.v, ok
	}, stop
}

// A pulled is one step of a sequence: a value, its end, or the panic that ended it.
type pulled[V any] struct {
	v        V
	ok       bool
	panicked bool
	panic    any
}

type puller[V any] struct {
	seq     Seq[V]
	turn    chan bool // true: go on, false: stop
	out     chan pulled[V]
	started bool
	running bool // between giving the turn and taking the answer
	done    bool
}

func (p *puller[V]) run() {
	last := pulled[V]{panicked: true}
	defer func() {
		if last.panicked {
			last.panic = recover()
		}
		p.out <- last
	}()
	if <-p.turn {
		p.seq(func(v V) bool {
			p.out <- pulled[V]{v: v, ok: true}
			return <-p.turn
		})
	}
	last.panicked = false
}

func (p *puller[V]) step(goOn bool) pulled[V] {
	if !p.started {
		p.started = true
		go p.run()
	}
	p.running = true
	p.turn <- goOn
	got := <-p.out
	p.running = false
	if !got.ok {
		p.done = true
	}
	if got.panicked {
		panic(got.panic)
	}
	return got
}

func (p *puller[V]) next() (V, bool) {
	var none V
	if p.running {
		panic("iter.Pull: next called again before yield")
	}
	if p.done {
		return none, false
	}
	got := p.step(true)
	return got.v, got.ok
}

func (p *puller[V]) stop() {
	if p.done {
		return
	}
	if p.running {
		panic("iter.Pull: stop called again before yield")
	}
	if !p.started {
		p.done = true
		return
	}
	if p.step(false); !p.done {
		panic("iter.Pull: the sequence went on after it was told to stop")
	}
}
