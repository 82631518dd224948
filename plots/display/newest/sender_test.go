package newest

import (
	"fmt"
	"maps"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A recorder keeps what was sent.
type recorder struct {
	mu   sync.Mutex
	sent []string
}

func (r *recorder) send(k string, v int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sent = append(r.sent, fmt.Sprint(k, v))
}

func (r *recorder) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprint(r.sent)
}

func TestTheFirstAtOnceThenTheNewest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		s := &Sender[string, int]{Send: r.send}
		for i := range 1000 {
			s.Put("a", i)
			s.Put("b", i)
		}
		if got := r.all(); got != "[a0]" {
			t.Fatalf("sent %s at once, want the first", got)
		}
		time.Sleep(pause)
		synctest.Wait()
		if got := r.all(); got != "[a0 b999 a999]" {
			t.Fatalf("after a pause %s: b began to wait first", got)
		}
		time.Sleep(time.Second)
		s.Put("c", 1)
		if got := r.all(); got != "[a0 b999 a999 c1]" {
			t.Fatalf("what comes later goes at once, found %s", got)
		}
	})
}

func TestFlushSendsWhatWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		s := &Sender[string, int]{Send: r.send}
		s.Flush()
		s.Put("a", 1)
		s.Put("a", 2)
		s.Flush()
		if got := r.all(); got != "[a1 a2]" {
			t.Fatal(got)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := r.all(); got != "[a1 a2]" {
			t.Fatalf("the timer sent again: %s", got)
		}
	})
}

func TestManyThingsHaveLongerPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		s := &Sender[int, int]{Send: func(int, int) { n++ }}
		for at := time.Now(); time.Since(at) < 10*time.Second; time.Sleep(time.Millisecond) {
			for k := range 100 {
				s.Put(k, 0)
			}
		}
		if n < 2000 || n > 2700 {
			t.Fatalf("%d states in 10 s, want about 250 a second", n)
		}
	})
}

func TestMerge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []map[string]int
		s := &Sender[string, map[string]int]{Send: func(_ string, v map[string]int) { got = append(got, v) },
			Merge: func(a, b map[string]int) map[string]int { maps.Copy(a, b); return a }}
		s.Put("m", map[string]int{"x": 0})
		s.Put("m", map[string]int{"x": 1})
		s.Put("m", map[string]int{"y": 2})
		s.Put("m", map[string]int{"x": 3})
		s.Flush()
		if fmt.Sprint(got) != "[map[x:0] map[x:3 y:2]]" {
			t.Fatal(got)
		}
	})
}
