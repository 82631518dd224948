package widgets

import (
	"encoding/json"
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A TextModel is a text: one that people write (Text), or that they see (Label, HTML).
type TextModel struct {
	common[*TextModel]
	value *value[string]
	// submitted are called when a person presses Enter.
	submitted []func(string)
}

// Text is a line to write in.
func Text(value string) *TextModel {
	w := newText("Text", value, map[string]any{"continuous_update": true, "placeholder": ""})
	w.m.custom = w.event
	return w
}

// Label is a line of text, in which $…$ is mathematics.
func Label(text string) *TextModel { return newText("Label", text, map[string]any{}) }

// HTML is a fragment of HTML.
func HTML(fragment string) *TextModel { return newText("HTML", fragment, map[string]any{}) }

func newText(name, first string, state map[string]any) *TextModel {
	w := &TextModel{}
	w.common = common[*TextModel]{newControl(name, state), w}
	w.value = newValue(w.m, "value", first, anything[string])
	return w
}

// Value is the text.
func (w *TextModel) Value() string { return w.made().value.get() }

// Set changes it, on all pages too. Error: *ClosedError.
func (w *TextModel) Set(text string) error { return w.made().value.set(text) }

// Late makes a Text report when it is left or Enter is pressed, and not with every key.
func (w *TextModel) Late() *TextModel { return w.made().own("Late", "continuous_update", false) }

// Placeholder is what an empty Text shows.
func (w *TextModel) Placeholder(text string) *TextModel {
	return w.made().own("Placeholder", "placeholder", text)
}

// OnChange adds a function that is called with each new text, whoever set it.
func (w *TextModel) OnChange(f func(text string)) *TextModel {
	w.made()
	w.value.onChange(f)
	return w
}

// OnSubmit adds a function that is called with the text when a person presses Enter.
func (w *TextModel) OnSubmit(f func(text string)) *TextModel {
	if w.made(); f == nil {
		w.m.fail(noFunction(w.m, "OnSubmit"))
		return w
	}
	if w.m.custom == nil {
		w.m.fail(&ValueError{w.m.name, "OnSubmit", "asked for", "a Text, in which people press Enter"})
		return w
	}
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	w.submitted = append(w.submitted, f)
	return w
}

// event is a custom message.
func (w *TextModel) event(content json.RawMessage) {
	if eventName(w.m, content) != "submit" {
		return
	}
	w.m.mu.Lock()
	calls := w.submitted[:len(w.submitted):len(w.submitted)]
	w.m.mu.Unlock()
	for _, f := range calls {
		f(w.Value())
	}
}

// eventName reads the content of a custom message.
func eventName(m *model, content json.RawMessage) string {
	var e struct {
		Event string `json:"event"`
	}
	if err := json.Unmarshal(content, &e); err != nil {
		report(&MessageError{Widget: m.name, Found: fmt.Sprintf("the custom message %.60s", content), Want: "an event",
			Err: err})
	}
	return e.Event
}

// String is the widget as text.
func (w *TextModel) String() string { return fmt.Sprintf("%s(%q)", w.made().m.name, w.Value()) }

// MIMEBundle shows the widget.
func (w *TextModel) MIMEBundle() display.Bundle { return w.made().m.bundle(w.String()) }
