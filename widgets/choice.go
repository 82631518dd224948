package widgets

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A BoolModel is a yes or no.
type BoolModel struct {
	common[*BoolModel]
	value *value[bool]
}

// Checkbox is a box to tick, with a text beside it.
func Checkbox(text string, value bool) *BoolModel {
	w := &BoolModel{}
	w.common = common[*BoolModel]{newControl("Checkbox", map[string]any{"description": text, "indent": true}), w}
	w.value = newValue(w.m, "value", value, anything[bool])
	return w
}

// Value reports whether it is ticked.
func (w *BoolModel) Value() bool { return w.made().value.get() }

// Set ticks it or not, on all pages too. Error: *ClosedError.
func (w *BoolModel) Set(on bool) error { return w.made().value.set(on) }

// OnChange adds a function that is called with each new value, whoever set it.
func (w *BoolModel) OnChange(f func(on bool)) *BoolModel {
	w.made()
	w.value.onChange(f)
	return w
}

// String is the widget as text.
func (w *BoolModel) String() string { return fmt.Sprintf("%s(%v)", w.made().m.name, w.Value()) }

// MIMEBundle shows the widget.
func (w *BoolModel) MIMEBundle() display.Bundle { return w.made().m.bundle(w.String()) }

// A ChoiceModel is one of several texts.
type ChoiceModel struct {
	common[*ChoiceModel]
	index   *value[int]
	options []string
}

// Dropdown is a list of options, of which the first is chosen.
func Dropdown(options ...string) *ChoiceModel {
	w := &ChoiceModel{options: slices.Clone(options)}
	w.common = common[*ChoiceModel]{newControl("Dropdown", map[string]any{"_options_labels": w.options}), w}
	w.index = newValue(w.m, "index", 0, w.check)
	w.m.take["index"] = func(raw json.RawMessage) (func(), error) {
		if string(raw) == "null" {
			return nil, &ValueError{w.m.name, "its choice", "none", w.want()}
		}
		return w.index.take(raw)
	}
	if len(options) == 0 {
		w.m.fail(&ValueError{"Dropdown", "its list of options", "empty", "at least one"})
	}
	return w
}

func (w *ChoiceModel) want() string { return "one of " + strings.Join(w.options, ", ") }

func (w *ChoiceModel) check(i int) error {
	if i < 0 || i >= len(w.options) {
		return &ValueError{w.m.name, "its index", i, fmt.Sprintf("0 to %d", len(w.options)-1)}
	}
	return nil
}

// Value is the option that is chosen; "" where there is none to choose.
func (w *ChoiceModel) Value() string {
	w.made()
	if i := w.Index(); i < len(w.options) {
		return w.options[i]
	}
	return ""
}

// Index is the place of the chosen option in the list.
func (w *ChoiceModel) Index() int { return w.made().index.get() }

// Set chooses, on all pages too. Error: *ValueError where there is no such option, *ClosedError.
func (w *ChoiceModel) Set(option string) error {
	w.made()
	i := slices.Index(w.options, option)
	if i < 0 {
		return &ValueError{w.m.name, "its choice", fmt.Sprintf("%q", option), w.want()}
	}
	return w.index.set(i)
}

// At is Set for a chain; an error is in Err.
func (w *ChoiceModel) At(option string) *ChoiceModel {
	w.made()
	if err := w.Set(option); err != nil {
		w.m.fail(err)
	}
	return w
}

// OnChange adds a function that is called with each newly chosen option, whoever chose it.
func (w *ChoiceModel) OnChange(f func(option string)) *ChoiceModel {
	w.made()
	if f == nil {
		w.m.fail(noFunction(w.m, "OnChange"))
		return w
	}
	w.index.onChange(func(i int) { f(w.options[i]) })
	return w
}

// String is the widget as text.
func (w *ChoiceModel) String() string { return fmt.Sprintf("%s(%q)", w.made().m.name, w.Value()) }

// MIMEBundle shows the widget.
func (w *ChoiceModel) MIMEBundle() display.Bundle { return w.made().m.bundle(w.String()) }
