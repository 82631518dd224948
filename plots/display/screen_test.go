package display

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// A recorder is a screen that remembers.
type recorder struct {
	mu    sync.Mutex
	shown []string
}

func (r *recorder) Show(b Bundle, id string, update bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shown = append(r.shown, fmt.Sprintf("%t %t %v", id != "", update, b.Data[TypeText]))
}

func (r *recorder) Clear(wait bool) { r.shown = append(r.shown, fmt.Sprint("clear ", wait)) }

func record(t *testing.T) *recorder {
	r := &recorder{}
	before := SetScreen(r)
	t.Cleanup(func() { SetScreen(before) })
	return r
}

func TestShow(t *testing.T) {
	r := record(t)
	Show(1, "a")
	h := ShowHandle(2)
	h.Update(3)
	Clear(true)
	want := "false false 1|false false \"a\"|true false 2|true true 3|clear true"
	if got := strings.Join(r.shown, "|"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if a, b := ShowHandle(1), ShowHandle(1); a.ID() == b.ID() {
		t.Error("two outputs have one name")
	}
}

func TestProgress(t *testing.T) {
	r := record(t)
	now := time.Unix(0, 0)
	p := newProgress("load", 200, func() time.Time { return now })
	for range 150 {
		now = now.Add(20 * time.Millisecond)
		p.Add(1)
	}
	p.Done()
	p.Add(1)
	if n := len(r.shown); n < 20 || n > 40 {
		t.Errorf("drawn %d times in 3 s", n)
	}
	if got, want := r.shown[len(r.shown)-1],
		"true true load ██████████████████████░░░░░░░░ "+
			"150/200 75%, 0:03"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	html := Render(p).Data[TypeHTML].(string)
	if !strings.Contains(html, `max="200" value="150"`) {
		t.Errorf("html: %s", html)
	}
}

func TestProgressOnTerminal(t *testing.T) {
	var buf bytes.Buffer
	before := SetScreen(terminal{&buf})
	defer SetScreen(before)
	p := NewProgress("", 0)
	p.Set(12)
	p.Done()
	if got := buf.String(); !strings.HasPrefix(got, "\r") || !strings.HasSuffix(got, "12, 0:00\n") {
		t.Errorf("got %q", got)
	}
}

func TestCountAndEach(t *testing.T) {
	r := record(t)
	sum := 0
	for i := range Count("n", 10) {
		if i == 5 {
			break
		}
		sum += i
	}
	for i, v := range Each("list", []int{3, 4}) {
		sum += i + v
	}
	if sum != 10+8 {
		t.Errorf("sum %d", sum)
	}
	if last := r.shown[len(r.shown)-1]; !strings.Contains(last, "2/2 100%") {
		t.Errorf("last drawing %q", last)
	}
	for range Count("nothing", 0) {
		t.Error("a loop of nothing ran")
	}
}

func TestConcurrentProgress(t *testing.T) {
	record(t)
	p := NewProgress("", 1000)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 250 {
				p.Add(1)
			}
		})
	}
	wg.Wait()
	p.Done()
	if p.count != 1000 {
		t.Errorf("count %d", p.count)
	}
}

func BenchmarkRenderInt(b *testing.B) {
	for b.Loop() {
		Render(42)
	}
}
