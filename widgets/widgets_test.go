package widgets

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
	"github.com/vyre-kernel/vyre-kernel/widgets/comm"
)

// front is a front end: it keeps the states that it is told.
type front struct {
	mu     sync.Mutex
	states map[string]map[string]any
	sent   []string // method and state of messages, in order
	closed []string
}

func (f *front) Parent() string { return "cell" }

func (f *front) Send(e comm.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var data struct {
		Method string
		State  map[string]any
	}
	if err := json.Unmarshal(e.Data, &data); err != nil {
		panic(err)
	}
	switch e.Kind {
	case "open":
		f.states[e.ID] = data.State
	case "msg":
		for k, v := range data.State {
			f.states[e.ID][k] = v
		}
		raw, _ := json.Marshal(data.State)
		f.sent = append(f.sent, data.Method+" "+string(raw))
	case "close":
		f.closed = append(f.closed, e.ID)
	}
}

func connect(t *testing.T) *front {
	f := &front{states: map[string]map[string]any{}}
	before := comm.Connect(f)
	t.Cleanup(func() {
		Flush()
		comm.Connect(before)
	})
	return f
}

// show opens a widget and gives its id.
func show(t *testing.T, w Widget) string {
	t.Helper()
	raw, ok := display.Render(w).Data[TypeView].(json.RawMessage)
	if !ok {
		t.Fatalf("%v has no view: %v", w, display.Render(w).Data)
	}
	var v view
	if err := json.Unmarshal(raw, &v); err != nil || v.Major != 2 {
		t.Fatalf("%s: %v", raw, err)
	}
	return v.ID
}

// send is a message of the front end; what it made this side print to stderr comes back.
func send(t *testing.T, id, data string) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = w
	err = comm.Deliver(comm.Event{Kind: "msg", ID: id, Data: json.RawMessage(data)}, nil)
	Flush() // as the kernel does when a message has been handled
	os.Stderr = stderr
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	var b [4096]byte
	n, _ := r.Read(b[:])
	return string(b[:n])
}

func change(trait, value string) string {
	return fmt.Sprintf(`{"method":"update","state":{%q:%s},"buffer_paths":[]}`, trait, value)
}

func TestValues(t *testing.T) {
	var got []any
	for _, c := range []struct {
		w           Widget
		trait, sent string
		value       func() any
		want        any
		refused     string // what cannot be
	}{
		{IntSlider(0, 9).OnChange(func(v int) { got = append(got, v) }), "value", "3", nil, 3, "10"},
		{IntProgress(-5, 5).OnChange(func(v int) { got = append(got, v) }), "value", "0", nil, 0, "2.5"},
		{FloatSlider(0, 1).OnChange(func(v float64) { got = append(got, v) }), "value", "0.5", nil, 0.5, "-1"},
		{FloatProgress(0, 1).OnChange(func(v float64) { got = append(got, v) }), "value", "1", nil, 1.0, `"x"`},
		{Text("").OnChange(func(v string) { got = append(got, v) }), "value", `"ü"`, nil, "ü", "1"},
		{Checkbox("", false).OnChange(func(v bool) { got = append(got, v) }), "value", "true", nil, true, "0"},
		{Dropdown("a", "b").OnChange(func(v string) { got = append(got, v) }), "index", "1", nil, "b", "null"},
	} {
		f := connect(t)
		id := show(t, c.w)
		got = nil
		if said := send(t, id, change(c.trait, c.sent)); said != "" {
			t.Errorf("%v: %s", c.w, said)
		}
		send(t, id, change(c.trait, c.sent)) // the same again is no change
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("%v: the callback got %v, want %v once", c.w, got, c.want)
		}
		if v := c.w.(source).current().Interface(); v != c.want {
			t.Errorf("%v: the value is %v", c.w, v)
		}
		if want := fmt.Sprintf(`echo_update {%q:%s}`, c.trait, c.sent); f.sent[0] != want {
			t.Errorf("%v: sent %q, want %q", c.w, f.sent, want)
		}
		if said := send(t, id, change(c.trait, c.refused)); !strings.Contains(said, "want") || len(got) != 1 {
			t.Errorf("%v: %s was taken: %q", c.w, c.refused, said)
		}
		if want := fmt.Sprintf(`update {%q:%s}`, c.trait, c.sent); f.sent[len(f.sent)-1] != want {
			t.Errorf("%v: sent %q, want the value that stays", c.w, f.sent)
		}
	}
}

func TestSetFromGo(t *testing.T) {
	f := connect(t)
	s := IntSlider(0, 10)
	calls := 0
	s.OnChange(func(int) { calls++ })
	id := show(t, s)
	var bad *ValueError
	if err := s.Set(11); !errors.As(err, &bad) || bad.Value != 11 {
		t.Errorf("out of range: %v", err)
	}
	err := s.Set(4)
	Flush()
	if err != nil || f.states[id]["value"] != 4.0 || calls != 1 {
		t.Errorf("%v, %v, %d calls", err, f.states[id], calls)
	}
	s.Description("d").Step(2).Late().Disable(true).Tooltip("t").Width("5em").Style(Style{HandleColor: "red"})
	Flush()
	if s.Err() != nil || f.states[id]["step"] != 2.0 || f.states[id]["disabled"] != true {
		t.Errorf("%v %v", s.Err(), f.states[id])
	}
	if err := s.Close(); err != nil || len(f.closed) != 3 {
		t.Errorf("%v, closed %v: want the model, its layout and its style", err, f.closed)
	}
	if b := display.Render(s); b.Data[TypeView] != nil || b.Data[display.TypeText] == nil {
		t.Errorf("a closed widget, whose models are gone from the page, shows %v", b.Data)
	}
}

func TestWrongChainsAreShown(t *testing.T) {
	connect(t)
	for _, c := range []struct {
		w    Widget
		want string
	}{
		{IntSlider(5, 1), "its range is 5 to 1"}, {IntSlider(0, 1<<60), "its range"},
		{IntSlider(0, 5).At(6), "its value is 6"},
		{IntSlider(0, 5).Step(0), "its step is 0"}, {FloatSlider(1, 0), "its range is 1 to 0"},
		{FloatSlider(0, 1).Step(-1), "its step"},
		{FloatSlider(0, 1).At(2), "its value is 2"}, {Dropdown(), "list of options is empty"},
		{Dropdown("a").At("b"), "want one of a"},
		{IntSlider(0, 5).Style(Style{BarColor: "red"}), "style bar_color"},
		{HBox().Style(Style{FontSize: "1em"}), "a layout only"},
		{Output().Style(Style{FontSize: "1em"}), "a layout only"}, {HBox(nil), "a child is nil"},
		{VBox(IntSlider(1, 0)), "its range"},
		{Interact(nil, IntSlider(0, 1)), "the function is nil, want func(int)"}, {Interact(3), "the function is int"},
		{Interact(func(string) {}, IntSlider(0, 1)), "want func(int)"},
		{Interact(func(int) (int, int) { return 0, 0 }, IntSlider(0, 1)), "at most one result"},
		{Interact(func() {}, Button("x")), `joined to Button("x")`}, {Interact(func(int) {}, IntSlider(2, 1)), "its range"},
	} {
		b := display.Render(c.w)
		text, _ := b.Data[display.TypeText].(string)
		if c.w.Err() == nil || !strings.Contains(text, c.want) || b.Data[TypeView] != nil {
			t.Errorf("got %v and %v, want %q", c.w.Err(), b.Data, c.want)
		}
	}
}

func TestWithoutAFrontEndWidgetsAreValues(t *testing.T) {
	before := comm.Connect(nil)
	defer comm.Connect(before)
	s := FloatSlider(0, 2)
	if err := s.Set(1.5); err != nil || s.Value() != 1.5 {
		t.Error(err)
	}
	b := display.Render(VBox(s, Label("x"), Button("b"), Output()))
	if want := `VBox(FloatSlider(1.5, 0 to 2), Label("x"), Button("b"), Output(0 outputs))`; b.Data[display.TypeText] != want || b.Data[TypeView] != nil {
		t.Errorf("got %v", b.Data)
	}
}

func TestInteract(t *testing.T) {
	f := connect(t)
	type degrees int
	s, fails := IntSlider(0, 9), Checkbox("", false)
	i := Interact(func(d degrees, fail bool) (any, error) {
		if fail {
			return nil, errors.New("on purpose")
		}
		return display.HTML(fmt.Sprint("<b>", int(d), "</b>")), nil
	}, s, fails)
	if got := display.Render(i).Data[display.TypeHTML]; got != "<b>0</b>" {
		t.Errorf("the first drawing is %v", got)
	}
	out := func() string {
		raw, _ := json.Marshal(f.states[i.output.m.id]["outputs"])
		return string(raw)
	}
	send(t, s.m.id, change("value", "7"))
	if !strings.Contains(out(), `"text/html":"\u003cb\u003e7`) {
		t.Errorf("after the slider moved: %s", out())
	}
	fails.Set(true)
	Flush()
	if !strings.Contains(out(), "on purpose") {
		t.Errorf("an error is not shown: %s", out())
	}
	if err := i.Close(); err != nil {
		t.Error(err)
	}
}

func TestCaptureNests(t *testing.T) {
	f := connect(t)
	o := Output()
	show(t, o)
	o.Capture(func() { o.Capture(func() {}) })
	if got := strings.Join(f.sent, "; "); got != `update {"msg_id":"cell"}; update {"msg_id":""}` {
		t.Errorf("sent %s", got)
	}
	o.Replace(1, "two")
	if got := o.String(); got != "Output(2 outputs)" {
		t.Error(got)
	}
	send(t, o.m.id, `{"method":"update","state":{"outputs":[]}}`) // the front end emptied it
	if got := o.String(); got != "Output(0 outputs)" {
		t.Error(got)
	}
}

func TestControlGivesAllStates(t *testing.T) {
	f := connect(t)
	show(t, HBox(IntSlider(0, 3).At(2)))
	var answer struct {
		Method string
		States map[string]saved
	}
	caught := &catcher{front: f, id: "ctl"}
	comm.Connect(caught)
	if err := comm.Deliver(comm.Event{Kind: "open", ID: "ctl", Target: controlTarget, Data: json.RawMessage("{}")},
		nil); err != nil {
		t.Fatal(err)
	}
	send(t, "ctl", `{"method":"request_states"}`)
	if err := json.Unmarshal(caught.data, &answer); err != nil || answer.Method != "update_states" {
		t.Fatalf("%s: %v", caught.data, err)
	}
	for id := range f.states {
		if answer.States[id].Name == "" || answer.States[id].State["_model_name"] != answer.States[id].Name {
			t.Errorf("%s is not among %v", id, answer.States[id])
		}
	}
	if said := send(t, "ctl", `{"method":"sing"}`); !strings.Contains(said, "want request_states") {
		t.Errorf("got %q", said)
	}
}

// catcher keeps the last message of one comm.
type catcher struct {
	*front
	id   string
	data json.RawMessage
}

func (c *catcher) Send(e comm.Event) {
	if e.ID == c.id {
		c.data = e.Data
		return
	}
	c.front.Send(e)
}

// Callbacks set others while the front end and goroutines do too: no deadlock, and both sides agree
// at the end.
func TestConcurrentChanges(t *testing.T) {
	f := connect(t)
	a, b := IntSlider(0, 1000), IntSlider(0, 1000)
	a.OnChange(func(v int) { _ = b.Set(v) })
	b.OnChange(func(v int) { _ = a.Set(v) })
	show(t, HBox(a, b))
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			for i := range 200 {
				_ = a.Set((i*7 + n) % 1000)
				_ = comm.Deliver(comm.Event{Kind: "msg", ID: b.m.id, Data: json.RawMessage(change("value", fmt.Sprint(i)))}, nil)
			}
		})
	}
	all.Wait()
	Flush()
	for _, w := range []*IntModel{a, b} {
		if f.states[w.m.id]["value"] != float64(w.Value()) {
			t.Errorf("the front end has %v, Go %d", f.states[w.m.id]["value"], w.Value())
		}
	}
}

func FuzzMessages(f *testing.F) {
	for _, s := range []string{change("value", "1"), `{"method":"request_state"}`,
		`{"method":"custom","content":{"event":"click"}}`, `{"method":"update","state":{"value":null,"x":[1]}}`, `[]`, `{`} {
		f.Add([]byte(s))
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		stderr := os.Stderr
		os.Stderr = null
		defer func() { os.Stderr = stderr }()
		for _, w := range []Widget{IntSlider(0, 9), FloatSlider(0, 1), Text(""), Checkbox("", true), Dropdown("a", "b"),
			Button("b"), Output()} {
			w.model().received(comm.Message{Data: data})
			_ = display.Render(w)
		}
	})
}
