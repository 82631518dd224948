package cuda

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestCacheIsBoundedAndKeepsWhatIsUsed(t *testing.T) {
	var closed []int
	c := must(NewCache[string](2, func(v int) error { closed = append(closed, v); return nil }))
	get := func(key string, v int) func() {
		t.Helper()
		got, release, err := c.Get(key, func() (int, error) { return v, nil })
		check(t, err)
		if got != v {
			t.Errorf("%s: %d, want %d", key, got, v)
		}
		return release
	}
	a := get("a", 1)
	get("b", 2)()
	get("c", 3)()
	if len(closed) != 1 || closed[0] != 2 {
		t.Errorf("closed %v, want the one that nobody uses", closed)
	}
	get("a", 1)()
	a()
	a() // releasing twice releases once
	get("d", 4)()
	if s := c.Stats(); s != (CacheStats{Hits: 1, Misses: 4, Evictions: 2, Kept: 2}) {
		t.Errorf("%+v", s)
	}
	check(t, c.Close())
	if len(closed) != 4 {
		t.Errorf("closed %v", closed)
	}
	if _, _, err := c.Get("a", nil); err == nil {
		t.Error("a closed cache answers")
	}
}

func TestCacheMakesOnce(t *testing.T) {
	var made atomic.Int32
	c := must(NewCache[int](4, func(int) error { return nil }))
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			_, release, err := c.Get(1, func() (int, error) { return int(made.Add(1)), nil })
			if err != nil {
				t.Error(err)
				return
			}
			release()
		})
	}
	wg.Wait()
	if made.Load() != 1 {
		t.Errorf("made %d times", made.Load())
	}
}

func TestCacheForgetsFailures(t *testing.T) {
	c := must(NewCache[int](1, func(int) error { return nil }))
	fail := errors.New("no")
	if _, _, err := c.Get(1, func() (int, error) { return 0, fail }); !errors.Is(err, fail) {
		t.Error(err)
	}
	v, release, err := c.Get(1, func() (int, error) { return 7, nil })
	if v != 7 || err != nil {
		t.Error(v, err)
	}
	release()
	func() {
		defer func() { _ = recover() }()
		_, _, _ = c.Get(2, func() (int, error) { panic("x") })
	}()
	v, release, err = c.Get(2, func() (int, error) { return 8, nil })
	if v != 8 || err != nil {
		t.Errorf("after a panic: %d, %v", v, err)
	}
	release()
}

// What waits for a build that panics makes the thing itself; a build that waits for itself, straight or
// through another goroutine's, is refused; interrupts end the wait. // D15
func TestCacheWaits(t *testing.T) {
	c := must(NewCache[int](4, func(int) error { return nil }))
	building, fail := make(chan struct{}), make(chan struct{})
	go func() {
		defer func() { _ = recover() }()
		_, _, _ = c.Get(1, func() (int, error) { close(building); <-fail; panic("x") })
	}()
	<-building
	got := make(chan error)
	go func() {
		v, release, err := c.Get(1, func() (int, error) { return 7, nil })
		if err == nil && v != 7 {
			err = fmt.Errorf("%d, want 7", v)
		}
		if err == nil {
			release()
		}
		got <- err
	}()
	close(fail)
	check(t, <-got)

	_, _, err := c.Get(2, func() (int, error) {
		v, _, err := c.Get(2, func() (int, error) { return 1, nil })
		return v, err
	})
	refused(t, "its own key", err, "is being made, and waits for this call")
	refused(t, "closed by a build", func() error {
		_, _, err := c.Get(2, func() (int, error) { return 0, c.Close() })
		return err
	}(), "is being made by this call's caller")

	first, second := make(chan struct{}), make(chan struct{})
	other := make(chan error)
	go func() {
		_, _, err := c.Get(3, func() (int, error) {
			close(first)
			<-second
			v, _, err := c.Get(4, func() (int, error) { return 1, nil })
			return v, err
		})
		other <- err
	}()
	<-first
	_, _, err = c.Get(4, func() (int, error) {
		close(second)
		v, _, err := c.Get(3, func() (int, error) { return 1, nil })
		return v, err
	})
	refused(t, "one of the two", errors.Join(err, <-other), "is being made, and waits for this call")

	hold, held := make(chan struct{}), make(chan struct{})
	go func() { _, _, _ = c.Get(5, func() (int, error) { close(held); <-hold; return 5, nil }) }()
	<-held
	ended := make(chan error)
	go func() { _, _, err := c.Get(5, func() (int, error) { return 6, nil }); ended <- err }()
	if err := interruptUntil(ended); !wasInterrupted(err) {
		t.Error(err)
	}
	close(hold)
	check(t, c.Close())
	refused(t, "closed", c.Close(), "the cache is closed")
}

// A graph cache tries again after a capture that panicked, and keeps nothing that is no graph of
// its device. // D15, D20
func TestGraphCacheRefuses(t *testing.T) {
	d, d2 := openTest(t), openTest(t)
	x := d.MustUpload([]uint32{1})
	c := d.MustNewGraphCache(2)
	good := func() (*Graph, error) { return d.Capture(func(s *Stream) { _ = s.Fill(x, 0) }) }
	func() {
		defer func() { _ = recover() }()
		_, _, _ = c.Get("a", func() (*Graph, error) {
			return d.MustCapture(func(s *Stream) { _ = s.Fill(nil, 0) }), nil
		})
	}()
	foreign := d2.MustCapture(func(*Stream) {})
	gone := must(good())
	check(t, gone.Close())
	for name, capture := range map[string]func() (*Graph, error){
		"none":    nil,
		"nil":     func() (*Graph, error) { return nil, nil },
		"closed":  func() (*Graph, error) { return gone, nil },
		"foreign": func() (*Graph, error) { return foreign, nil },
	} {
		_, _, err := c.Get("a", capture)
		refused(t, name, err, "GraphCache.Get")
	}
	g, release, err := c.Get("a", good)
	check(t, err)
	check(t, g.Launch())
	release()
	check(t, c.Close())
	check(t, foreign.Close())
	_, err = d.NewGraphCache(0)
	refused(t, "capacity", err, "a capacity of at least 1, got 0")
	_, err = d.NewModuleCache(-1)
	refused(t, "capacity", err, "a capacity of at least 1, got -1")
}

func TestModuleCache(t *testing.T) {
	d := openTest(t)
	c := d.MustNewModuleCache(1)
	text := string(kernelsPTX)
	k, release, err := c.Kernel(text, "nothing")
	check(t, err)
	again, release2, err := c.Kernel(text, "nothing")
	check(t, err)
	if k != again {
		t.Error("one kernel became two")
	}
	other, release3, err := c.Kernel(strings.Replace(text, "counter = 7", "counter = 8", 1), "nothing")
	check(t, err)
	check(t, d.Launch(k, Grid(1), Block(1)))
	check(t, d.Launch(other, Grid(1), Block(1)))
	check(t, d.Synchronize())
	if _, _, err := c.Kernel(text, "absent"); err == nil {
		t.Error("an absent kernel")
	}
	release()
	release2()
	release3()
	if s := c.Stats(); s.Kept != 1 || s.Evictions != 1 {
		t.Errorf("%+v", s)
	}
	check(t, c.Close())
}
