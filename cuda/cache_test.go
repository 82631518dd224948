package cuda

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func TestCacheIsBoundedAndKeepsWhatIsUsed(t *testing.T) {
	var closed []int
	c := NewCache[string](2, func(v int) error { closed = append(closed, v); return nil })
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
	c := NewCache[int](4, func(int) error { return nil })
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
	c := NewCache[int](1, func(int) error { return nil })
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
	if _, _, err := c.Get(2, func() (int, error) { return 8, nil }); err == nil || !strings.Contains(err.Error(), "panicked") {
		t.Errorf("after a panic: %v", err)
	}
}

func TestModuleCache(t *testing.T) {
	d := openTest(t)
	c := d.NewModuleCache(1)
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
