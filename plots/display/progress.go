package display

import (
	"fmt"
	"html"
	"iter"
	"os"
	"strings"
	"sync"
	"time"
)

// progressInterval is the time between two drawings: often enough to look smooth, seldom enough not
// to slow the loop or flood a front end.
const progressInterval = 100 * time.Millisecond

// A Progress is a bar for a loop: HTML that is updated in place where values are shown on a Screen,
// a line that is rewritten on a terminal. Its methods may be called by several goroutines at once.
type Progress struct {
	mu      sync.Mutex
	label   string
	total   int // 0: not known
	count   int
	started time.Time
	drawn   time.Time
	now     func() time.Time
	ended   bool
	handle  *Handle
}

// NewProgress starts a bar; total is the number of steps, 0 where it is not known. It panics with
// an *ArgumentError where total is negative.
func NewProgress(label string, total int) *Progress {
	notNegative("display.NewProgress", total)
	return newProgress(label, total, time.Now)
}

// notNegative refuses a number of steps that is none.
func notNegative(call string, n int) {
	if n < 0 {
		panic(&ArgumentError{Call: call, Want: "0 steps or more", Got: fmt.Sprint(n)})
	}
}

// lock takes the bar for a call, and refuses what NewProgress did not make.
func (p *Progress) lock(call string) {
	if p == nil || p.now == nil {
		got := map[bool]string{true: "nil", false: "a zero Progress"}[p == nil]
		panic(&ArgumentError{Call: "Progress." + call, Want: "a Progress made by display.NewProgress", Got: got})
	}
	p.mu.Lock()
}

func newProgress(label string, total int, now func() time.Time) *Progress {
	p := &Progress{label: label, total: total, now: now, started: now()}
	p.draw()
	return p
}

// Add counts n more steps; steps may be taken back, to 0 at most.
func (p *Progress) Add(n int) {
	p.lock("Add")
	defer p.mu.Unlock()
	notNegative("Progress.Add", p.count+n)
	p.to(p.count + n)
}

// Set says that n steps are done.
func (p *Progress) Set(n int) {
	p.lock("Set")
	defer p.mu.Unlock()
	notNegative("Progress.Set", n)
	p.to(n)
}

func (p *Progress) to(n int) {
	if p.ended {
		return
	}
	p.count = n
	if p.now().Sub(p.drawn) >= progressInterval || p.count == p.total {
		p.draw()
	}
}

// Done draws the bar a last time, as far as it came. Later calls have no effect.
func (p *Progress) Done() {
	p.lock("Done")
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.ended = true
	p.draw()
}

func (p *Progress) draw() {
	p.drawn = p.now()
	s := current()
	if t, ok := s.(terminal); ok {
		end := ""
		if p.ended {
			end = "\n"
		}
		fmt.Fprintf(t.w, "\r\x1b[K%s%s", p.line(), end)
		return
	}
	b := p.bundle()
	if p.handle == nil {
		p.handle = &Handle{id: fmt.Sprintf("vyre-progress-%d-%d", os.Getpid(), handles.Add(1))}
		s.Show(b, p.handle.id, false)
		return
	}
	s.Show(b, p.handle.id, true)
}

// MIMEBundle shows the bar as it stands.
func (p *Progress) MIMEBundle() Bundle {
	p.lock("MIMEBundle")
	defer p.mu.Unlock()
	return p.bundle()
}

func (p *Progress) bundle() Bundle {
	return Bundle{Data: map[string]any{TypeText: p.line(), TypeHTML: p.html()}}
}

// barWidth is the length of a bar of text.
const barWidth = 30

func (p *Progress) line() string {
	if p.total == 0 {
		return strings.TrimSpace(p.label + " " + p.figures())
	}
	full := min(p.count, p.total) * barWidth / p.total
	bar := strings.Repeat("█", full) + strings.Repeat("░", barWidth-full)
	return strings.TrimSpace(p.label + " " + bar + " " + p.figures())
}

// figures is the count, the share, and the time: spent, and from the pace so far still to come.
func (p *Progress) figures() string {
	spent := p.now().Sub(p.started)
	if p.total == 0 {
		return fmt.Sprintf("%s, %s", group(fmt.Sprint(p.count)), clock(spent))
	}
	s := fmt.Sprintf("%s/%s %d%%, %s", group(fmt.Sprint(p.count)), group(fmt.Sprint(p.total)),
		int(100*float64(p.count)/float64(p.total)), clock(spent))
	if p.count > 0 && p.count < p.total && !p.ended {
		left := float64(spent) / float64(p.count) * float64(p.total-p.count)
		s += ", " + clock(time.Duration(left)) + " left"
	}
	return s
}

// clock is a time as people read it from a bar.
func clock(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func (p *Progress) html() string {
	bar := "<progress"
	if p.total > 0 {
		bar += fmt.Sprintf(` max="%d" value="%d"`, p.total, min(p.count, p.total))
	} else if p.ended {
		bar += ` max="1" value="1"`
	}
	return fmt.Sprintf(`<div style="display:flex;align-items:center;gap:.7em;color:var(--jp-content-font-color1,inherit);`+
		`font-family:var(--jp-content-font-family,system-ui,sans-serif);font-variant-numeric:tabular-nums">`+
		`<span>%s</span>%s style="width:16em;accent-color:var(--jp-brand-color1,#2196f3)"></progress><span>%s</span></div>`,
		html.EscapeString(p.label), bar, html.EscapeString(p.figures()))
}

// Count is `range n` with a bar.
func Count(label string, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		p := NewProgress(label, max(n, 0)) // range n has no steps below 1
		defer p.Done()
		for i := range n {
			if !yield(i) {
				return
			}
			p.Add(1)
		}
	}
}

// Each is `range list` with a bar.
func Each[S ~[]E, E any](label string, list S) iter.Seq2[int, E] {
	return func(yield func(int, E) bool) {
		for i := range Count(label, len(list)) {
			if !yield(i, list[i]) {
				return
			}
		}
	}
}
