package widgets

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

// refusal reports whether v is one of this package's errors.
func refusal(v any) bool {
	err, ok := v.(error)
	var value *ValueError
	var signature *SignatureError
	var message *MessageError
	var closed *ClosedError
	return ok && (errors.As(err, &value) || errors.As(err, &signature) || errors.As(err, &message) ||
		errors.As(err, &closed))
}

const inErr = "what a chain asks in vain is in Err"

// whenClosed are the methods of closed widgets that answer.
var whenClosed = map[string]string{
	"At": inErr, "Description": inErr, "Disable": inErr, "Icon": inErr, "Late": inErr, "Layout": inErr,
	"Placeholder": inErr,
	"Step":        inErr, "Style": inErr, "Tooltip": inErr, "Width": inErr, "OnChange": "nothing changes any more",
	"OnClick": "Click calls it", "OnSubmit": "nobody presses Enter any more", "Click": "it does what a click does",
	"Value": "it tells what it was", "Index": "it tells what it was", "String": "it tells what it was",
	"Children": "it tells what it was", "Controls": "it tells what it was", "MIMEBundle": "it tells that it was closed",
	"Err": "it tells what was asked in vain", "Close": "it is closed",
	"Capture": "the function is called; " + inErr, "Show": "the cell shows it; " + inErr, "Clear": inErr,
	"Replace": inErr,
}

// Every exported call refuses what it cannot do, on what is nil, zero and closed too. // H4
func TestLaws(t *testing.T) {
	kinds := map[string]func() Widget{
		"IntModel": func() Widget { return IntSlider(1, 5) }, "FloatModel": func() Widget { return FloatProgress(0, 1) },
		"BoolModel":   func() Widget { return Checkbox("on", true) },
		"ChoiceModel": func() Widget { return Dropdown("a", "b") },
		"TextModel":   func() Widget { return Text("a") }, "ButtonModel": func() Widget { return Button("go") },
		"OutputModel": func() Widget { return Output() }, "BoxModel": func() Widget { return HBox(IntSlider(1, 5)) },
		"Interaction": func() Widget { return Interact(func(int) {}, IntSlider(1, 5)) },
	}
	var states []lawtest.State
	answers := map[string]string{"Interact of nil 0": inErr}
	for kind, make := range kinds {
		states = append(states, lawtest.State{Name: "open", Works: true, New: func() any { return make() }},
			lawtest.State{Name: "closed", New: func() any {
				w := make()
				if err := w.(interface{ Close() error }).Close(); err != nil {
					t.Fatal(err)
				}
				return w
			}})
		for method := range reflect.TypeOf(make()).Methods() {
			if why := whenClosed[method.Name]; why != "" {
				answers[kind+"."+method.Name+" closed"] = why
			}
			if strings.HasPrefix(method.Name, "On") {
				answers[kind+"."+method.Name+" of nil 0"] = inErr
			}
		}
	}
	lawtest.Test(t, lawtest.Package{
		Types: []any{(*IntModel)(nil), (*FloatModel)(nil), (*BoolModel)(nil), (*ChoiceModel)(nil), (*TextModel)(nil),
			(*ButtonModel)(nil), (*OutputModel)(nil), (*BoxModel)(nil), (*Interaction)(nil)},
		Data: []any{Layout{}, Style{}, (*ValueError)(nil), (*SignatureError)(nil), (*MessageError)(nil),
			(*ClosedError)(nil)},
		States: states,
		Functions: map[string]any{"IntSlider": IntSlider, "IntProgress": IntProgress, "FloatSlider": FloatSlider,
			"FloatProgress": FloatProgress, "Checkbox": Checkbox, "Dropdown": Dropdown, "Text": Text, "Label": Label,
			"HTML": HTML, "Button": Button, "HBox": HBox, "VBox": VBox, "Output": Output, "Interact": Interact, "Flush": Flush},
		Refusal: refusal,
		Args: []any{
			func() func() { return func() {} }, func() func(int) { return func(int) {} },
			func() func(float64) { return func(float64) {} }, func() func(bool) { return func(bool) {} },
			func() func(string) { return func(string) {} }, func() string { return "a" }, func() int { return 2 },
			func() float64 { return 0.5 },
		},
		Answers: answers,
	})
}

// Bounds that are none are not replaced by others. // H4
func TestBoundsAreKeptOrRefused(t *testing.T) {
	for _, w := range []*FloatModel{FloatSlider(3, 2), FloatSlider(math.NaN(), 2), FloatProgress(0, math.Inf(1))} {
		var wrong *ValueError
		if err := w.Set(0.5); !errors.As(err, &wrong) || wrong.Trait != "its range" || !errors.Is(w.Err(), err) {
			t.Errorf("%v, %v", err, w.Err())
		}
	}
	if w := IntSlider(3, 2); w.Set(3) == nil || w.Err() == nil {
		t.Error("a slider without a range was set")
	}
}

// What a widget has not is refused, and what it is told once it is closed.
func TestWhatDoesNotApplyIsRefused(t *testing.T) {
	closed := IntSlider(1, 5)
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	var gone *ClosedError
	if err := closed.Set(3); !errors.As(err, &gone) || closed.Value() != 1 {
		t.Error(err)
	}
	box := Checkbox("", false)
	if err := box.Close(); err != nil {
		t.Fatal(err)
	}
	if err := box.Set(true); !errors.As(err, &gone) {
		t.Error(err)
	}
	for _, w := range []Widget{IntProgress(0, 5).Step(2), IntProgress(0, 5).Late(), FloatProgress(0, 5).Step(2),
		Label("a").Late(),
		HTML("a").Placeholder("b"), Label("a").OnSubmit(func(string) {}), HBox().Description("a"), Output().Disable(true),
		HBox((*IntModel)(nil)), IntSlider(0, 1).OnChange(nil), Button("a").OnClick(nil), closed.Description("a")} {
		if w.Err() == nil {
			t.Errorf("%v was taken", w)
		}
	}
}
