package widgets

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// A Layout says where a widget stands and how large it is, in CSS; what is empty is the front end's
// choice.
type Layout struct {
	Width           string `json:"width,omitempty"`
	Height          string `json:"height,omitempty"`
	MinWidth        string `json:"min_width,omitempty"`
	MaxWidth        string `json:"max_width,omitempty"`
	Margin          string `json:"margin,omitempty"`
	Padding         string `json:"padding,omitempty"`
	Flex            string `json:"flex,omitempty"`
	FlexFlow        string `json:"flex_flow,omitempty"`
	AlignItems      string `json:"align_items,omitempty"`
	JustifyContent  string `json:"justify_content,omitempty"`
	Overflow        string `json:"overflow,omitempty"`
	Display         string `json:"display,omitempty"`
	Visibility      string `json:"visibility,omitempty"`
	GridTemplate    string `json:"grid_template_columns,omitempty"`
	BorderTop       string `json:"border_top,omitempty"`
	BorderBottom    string `json:"border_bottom,omitempty"`
	BorderLeft      string `json:"border_left,omitempty"`
	BorderRight     string `json:"border_right,omitempty"`
	ObjectFit       string `json:"object_fit,omitempty"`
	GridGap         string `json:"grid_gap,omitempty"`
	AlignSelf       string `json:"align_self,omitempty"`
	JustifyItems    string `json:"justify_items,omitempty"`
	GridTemplateRow string `json:"grid_template_rows,omitempty"`
}

// A Style says what a widget looks like; each kind of widget knows some of it (a slider its handle,
// a bar its bar), and what it does not is refused.
type Style struct {
	DescriptionWidth string `json:"description_width,omitempty"`
	HandleColor      string `json:"handle_color,omitempty"`
	BarColor         string `json:"bar_color,omitempty"`
	ButtonColor      string `json:"button_color,omitempty"`
	TextColor        string `json:"text_color,omitempty"`
	Background       string `json:"background,omitempty"`
	FontSize         string `json:"font_size,omitempty"`
	FontWeight       string `json:"font_weight,omitempty"`
}

func newLayout() *model { return newModel(base, baseAt, "Layout", map[string]any{}) }

// A styleKind is a style model and the traits that it has.
type styleKind struct {
	name   string
	traits []string
}

var (
	sliderStyle   = styleKind{"Slider", []string{"description_width", "handle_color"}}
	progressStyle = styleKind{"Progress", []string{"description_width", "bar_color"}}
	textStyle     = styleKind{"Text", []string{"description_width", "text_color", "background", "font_size"}}
	labelStyle    = styleKind{"Label", []string{"description_width", "text_color", "background", "font_size",
		"font_weight"}}
	buttonStyle = styleKind{"Button", []string{"button_color", "text_color", "font_size", "font_weight"}}
)

// styles says which style a widget has; the others have the plain one of widgets with a
// description.
var styles = map[string]styleKind{
	"IntSlider": sliderStyle, "FloatSlider": sliderStyle, "IntProgress": progressStyle, "FloatProgress": progressStyle,
	"Text": textStyle, "Label": labelStyle, "HTML": {"HTML",
		[]string{"description_width", "text_color", "background", "font_size"}},
	"Button": buttonStyle, "Checkbox": {"Checkbox", []string{"description_width", "background"}},
}

func styleOf(widget string) styleKind {
	if k, ok := styles[widget]; ok {
		return k
	}
	return styleKind{"Description", []string{"description_width"}}
}

func newStyle(widget string) *model {
	m := newModel(controls, controlsAt, styleOf(widget).name+"Style", map[string]any{})
	maps.Copy(m.state, map[string]any{"_view_module": base, "_view_module_version": baseAt, "_view_name": "StyleView"})
	return m
}

// traits are the fields that are set.
func traits(v any) map[string]any {
	set := map[string]any{}
	raw, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(raw, &set)
	}
	if err != nil {
		return nil // structs of strings always encode
	}
	return set
}

// common is what all controls can be told; W is the control, so that calls chain.
type common[W any] struct {
	m    *model
	self W
}

func (c *common[W]) model() *model { return c.made() }

// Err says what was asked of the widget that it cannot do; nil where nothing was.
func (c *common[W]) Err() error { return c.made().failure() }

// Layout places and sizes the widget.
func (c *common[W]) Layout(l Layout) W {
	return c.onPages(c.made().refs["layout"].set(traits(l)))
}

// Width is Layout for the width alone: "400px", "100%".
func (c *common[W]) Width(css string) W { return c.Layout(Layout{Width: css}) }

// Style changes the looks. What this kind of widget does not have is an error in Err.
func (c *common[W]) Style(s Style) W {
	kind, set := styleOf(c.made().name), traits(s)
	if c.m.refs["style"] == nil {
		c.m.fail(&ValueError{c.m.name, "a style", s, "none: it has a layout only"})
		return c.self
	}
	for trait, v := range set {
		if !slices.Contains(kind.traits, trait) {
			c.m.fail(&ValueError{c.m.name, "style " + trait, v, "one of its own: " + strings.Join(kind.traits, ", ")})
			return c.self
		}
	}
	return c.onPages(c.m.refs["style"].set(set))
}

// Description is the text beside the widget (of a button: on it).
func (c *common[W]) Description(text string) W { return c.seen("Description", "description", text) }

// Tooltip is the text that a pointer over the widget brings up.
func (c *common[W]) Tooltip(text string) W { return c.with("tooltip", text) }

// Disable greys the widget out, or with false brings it back.
func (c *common[W]) Disable(on bool) W { return c.seen("Disable", "disabled", on) }

func (c *common[W]) with(trait string, v any) W {
	return c.onPages(c.made().set(map[string]any{trait: v}))
}

// own is with for a trait that not every widget of its type has.
func (c *common[W]) own(call, trait string, v any) W {
	c.m.mu.Lock()
	_, ok := c.m.state[trait]
	c.m.mu.Unlock()
	if !ok {
		c.m.fail(&ValueError{c.m.name, call, v, "another widget: this one has no " + trait})
		return c.self
	}
	return c.with(trait, v)
}

// seen is with for traits of widgets that people see themselves, which boxes and outputs are not.
func (c *common[W]) seen(call, trait string, v any) W {
	if m := c.made(); m.refs["style"] == nil {
		m.fail(&ValueError{m.name, call, v, "a widget that has a " + trait + ": this one only holds others"})
		return c.self
	}
	return c.with(trait, v)
}

// onPages goes on in a chain; what could not be set is in Err.
func (c *common[W]) onPages(err error) W {
	c.m.fail(err)
	return c.self
}

// Close takes the widget off all pages.
func (c *common[W]) Close() error { return c.made().close() }
