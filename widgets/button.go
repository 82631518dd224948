package widgets

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A ButtonModel is a button.
type ButtonModel struct {
	common[*ButtonModel]
	text    string
	clicked []func()
}

// Button is a button with a text on it.
func Button(text string) *ButtonModel {
	w := &ButtonModel{text: text}
	w.common = common[*ButtonModel]{newControl("Button",
		map[string]any{"description": text, "button_style": "", "icon": ""}), w}
	w.m.custom = func(content json.RawMessage) {
		if eventName(w.m, content) == "click" {
			w.Click()
		}
	}
	return w
}

// Icon is a Font Awesome name: "play", "check".
func (w *ButtonModel) Icon(name string) *ButtonModel { return w.made().with("icon", name) }

// OnClick adds a function that is called with each click.
func (w *ButtonModel) OnClick(f func()) *ButtonModel {
	if w.made(); f == nil {
		w.m.fail(noFunction(w.m, "OnClick"))
		return w
	}
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	w.clicked = append(w.clicked, f)
	return w
}

// Click does what a click does.
func (w *ButtonModel) Click() {
	w.made()
	w.m.mu.Lock()
	calls := slices.Clone(w.clicked)
	w.m.mu.Unlock()
	for _, f := range calls {
		f()
	}
}

// String is the widget as text.
func (w *ButtonModel) String() string { return fmt.Sprintf("Button(%q)", w.made().text) }

// MIMEBundle shows the widget.
func (w *ButtonModel) MIMEBundle() display.Bundle { return w.made().m.bundle(w.String()) }
