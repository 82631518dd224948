package widgets

import (
	"maps"
	"reflect"
	"strings"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// An Interaction is a function joined to widgets: it is called with their values, now and whenever
// one changes, and what it returns is shown below them.
type Interaction struct {
	box      *BoxModel
	output   *OutputModel
	controls []Widget
	call     reflect.Value
	err      error

	drawing sync.Mutex
	last    display.Bundle
}

// source is what an Interaction needs of a widget with a value.
type source interface {
	Widget
	current() reflect.Value
	changed(func())
}

func (w *IntModel) current() reflect.Value    { return reflect.ValueOf(w.Value()) }
func (w *IntModel) changed(f func())          { w.OnChange(func(int) { f() }) }
func (w *FloatModel) current() reflect.Value  { return reflect.ValueOf(w.Value()) }
func (w *FloatModel) changed(f func())        { w.OnChange(func(float64) { f() }) }
func (w *TextModel) current() reflect.Value   { return reflect.ValueOf(w.Value()) }
func (w *TextModel) changed(f func())         { w.OnChange(func(string) { f() }) }
func (w *BoolModel) current() reflect.Value   { return reflect.ValueOf(w.Value()) }
func (w *BoolModel) changed(f func())         { w.OnChange(func(bool) { f() }) }
func (w *ChoiceModel) current() reflect.Value { return reflect.ValueOf(w.Value()) }
func (w *ChoiceModel) changed(f func())       { w.OnChange(func(string) { f() }) }

// Interact joins f to controls: f has a parameter for each, of the type of its value (int, float64,
// string, bool), and one result, which is shown in place of the one before, or none; then what it
// prints is. The last result may be an error, which is shown where it is not nil.
//
//	widgets.Interact(func(k int, phase float64) any { return plots.Growth(wave(k, phase)) },
//		widgets.IntSlider(1, 20), widgets.FloatSlider(0, 6.28))
//
// Errors (*SignatureError, and those of the controls) are in Err and shown in place of the widgets.
func Interact(f any, controls ...Widget) *Interaction {
	i := &Interaction{output: Output(), controls: controls, call: reflect.ValueOf(f)}
	i.box = VBox(append(controls[:len(controls):len(controls)], i.output)...)
	if i.err = i.box.Err(); i.err == nil {
		i.err = i.check()
	}
	if i.err != nil {
		return i
	}
	for _, c := range controls {
		c.(source).changed(i.redraw)
	}
	return i
}

// check says what is wrong with the signature.
func (i *Interaction) check() error {
	var want []string
	for _, c := range i.controls {
		s, ok := c.(source)
		if !ok {
			return &SignatureError{Found: "joined to " + display.TextOf(c), Want: "widgets with a value beside it"}
		}
		want = append(want, s.current().Type().String())
	}
	bad := &SignatureError{"nil", "func(" + strings.Join(want, ", ") + ") with at most one result and an error"}
	if !i.call.IsValid() {
		return bad
	}
	bad.Found = i.call.Type().String()
	if i.call.Kind() != reflect.Func || i.call.IsNil() {
		return bad
	}
	t := i.call.Type()
	if t.NumIn() != len(want) || t.IsVariadic() || t.NumOut() > 2 || t.NumOut() == 2 &&
		t.Out(1) != reflect.TypeFor[error]() {
		return bad
	}
	for n := range want {
		if v := i.controls[n].(source).current().Type(); v != t.In(n) &&
			(v.Kind() != t.In(n).Kind() || !v.ConvertibleTo(t.In(n))) {
			return bad
		}
	}
	return nil
}

// arguments are the values of the controls as f takes them.
func (i *Interaction) arguments() []reflect.Value {
	var list []reflect.Value
	for n, c := range i.controls {
		list = append(list, c.(source).current().Convert(i.call.Type().In(n)))
	}
	return list
}

// redraw calls the function and shows what it gives, one call at a time.
func (i *Interaction) redraw() {
	i.drawing.Lock()
	defer i.drawing.Unlock()
	if i.call.Type().NumOut() == 0 {
		i.output.Capture(func() {
			display.Clear(true)
			i.call.Call(i.arguments())
		})
		return
	}
	results := i.call.Call(i.arguments())
	if n := len(results); n > 1 {
		if results[n-1].IsNil() {
			results = results[:n-1]
		} else {
			results = results[n-1:]
		}
	}
	i.last = display.Render(results[0].Interface())
	i.output.Replace(i.last)
}

// Err says why there is nothing to move; nil where there is.
func (i *Interaction) Err() error { return i.made().err }

func (i *Interaction) model() *model { return i.box.m }

// Controls are the widgets.
func (i *Interaction) Controls() []Widget { return i.made().controls }

// Close takes the widgets off all pages.
func (i *Interaction) Close() error { return i.made().box.Close() }

// String is the widgets as text.
func (i *Interaction) String() string {
	i.made()
	if i.err != nil {
		return i.err.Error()
	}
	var parts []string
	for _, c := range i.controls {
		parts = append(parts, display.TextOf(c))
	}
	return "Interact(" + strings.Join(parts, ", ") + ")"
}

// MIMEBundle calls the function a first time and shows the widgets with what it gave. Where no
// front end knows them, in a saved notebook, that is still there as it was.
func (i *Interaction) MIMEBundle() display.Bundle {
	i.made()
	if i.err != nil {
		return display.Bundle{Data: map[string]any{display.TypeText: i.err.Error()}}
	}
	i.redraw()
	b := i.box.m.bundle(i.String())
	i.drawing.Lock()
	defer i.drawing.Unlock()
	for mime, v := range i.last.Data {
		if mime != display.TypeText {
			b.Data[mime] = v
		}
	}
	b.Metadata = maps.Clone(i.last.Metadata)
	return b
}
