package widgets

import (
	"reflect"
	"slices"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A BoxModel is widgets side by side or below each other.
type BoxModel struct {
	common[*BoxModel]
	children []Widget
}

// HBox is widgets side by side.
func HBox(children ...Widget) *BoxModel { return newBox("HBox", children) }

// VBox is widgets below each other.
func VBox(children ...Widget) *BoxModel { return newBox("VBox", children) }

func newBox(name string, children []Widget) *BoxModel {
	w := &BoxModel{children: slices.Clone(children)}
	m := newModel(controls, controlsAt, name, map[string]any{"box_style": ""})
	m.refs["layout"] = newLayout()
	w.common = common[*BoxModel]{m, w}
	for i, child := range children {
		if child == nil || reflect.ValueOf(child).IsNil() {
			m.fail(&ValueError{name, "a child", "nil", "a widget"})
			return w
		}
		if err := child.Err(); err != nil {
			m.fail(err)
		}
		m.list["children"] = append(m.list["children"], children[i].model())
	}
	if len(children) == 0 {
		m.state["children"] = []string{}
	}
	return w
}

// Children are the widgets in the box.
func (w *BoxModel) Children() []Widget { return slices.Clone(w.made().children) }

// Close takes the box and all that is in it off all pages.
func (w *BoxModel) Close() error {
	w.made()
	for _, child := range w.m.list["children"] {
		if err := child.close(); err != nil {
			return err
		}
	}
	return w.m.close()
}

// String is the widgets as text.
func (w *BoxModel) String() string {
	w.made()
	var parts []string
	for _, child := range w.children {
		parts = append(parts, display.TextOf(child))
	}
	return w.m.name + "(" + strings.Join(parts, ", ") + ")"
}

// MIMEBundle shows the widgets.
func (w *BoxModel) MIMEBundle() display.Bundle { return w.made().m.bundle(w.String()) }
