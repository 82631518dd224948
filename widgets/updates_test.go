package widgets

import (
	"strings"
	"testing"
	"time"
)

// A loop is not slowed by a page that draws fewer states than it makes: what is sent is a few
// states, the last one among them.
func TestManyUpdatesAreFewMessages(t *testing.T) {
	f := connect(t)
	bar, text := IntProgress(0, 10000), Label("")
	show(t, VBox(bar, text))
	start := time.Now()
	for i := range 10000 {
		_ = bar.Set(i + 1)
		text.Set(strings.Repeat("x", i%9))
	}
	most := 4 + 2*int(time.Since(start)/(25*time.Millisecond))
	if n := f.messages(); n > most {
		t.Errorf("%d messages, want at most %d", n, most)
	}
	arrived := func() bool { // nobody calls Flush: the cell goes on with something else
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.states[bar.m.id]["value"] == 10000.0 && f.states[text.m.id]["value"] == strings.Repeat("x", 9999%9)
	}
	for !arrived() {
		if time.Since(start) > 10*time.Second {
			t.Fatal("the last state did not arrive")
		}
		time.Sleep(time.Millisecond)
	}
}

func (f *front) messages() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.sent)
}

// What Go set before a person changed it arrives before the echo of that change, whose value stays.
func TestAChangeOfAPersonComesLast(t *testing.T) {
	f := connect(t)
	s := IntSlider(0, 9)
	id := show(t, s)
	_, _, _ = s.Set(1), s.Set(2), s.Set(3)
	send(t, id, change("value", "7"))
	if n := len(f.sent); n < 2 || f.sent[n-1] != `echo_update {"value":7}` || f.sent[n-2] != `update {"value":3}` {
		t.Errorf("sent %q", f.sent)
	}
	if f.states[id]["value"] != 7.0 || s.Value() != 7 {
		t.Errorf("the page has %v, Go %d", f.states[id]["value"], s.Value())
	}
}
