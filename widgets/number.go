package widgets

import (
	"fmt"
	"math"
	"strconv"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// An IntModel is a whole number between two bounds, as a slider or a progress bar.
type IntModel struct {
	common[*IntModel]
	value    *value[int]
	min, max int
	wrong    error // of the bounds
}

// maxExact bounds what a number of the front end, a float64, holds exactly.
const maxExact = 1 << 53

// IntSlider is a slider for the numbers from min to max; it begins at min.
func IntSlider(min, max int) *IntModel {
	return newInt("IntSlider", min, max, map[string]any{
		"step": 1, "continuous_update": true, "readout": true, "readout_format": "d", "orientation": "horizontal"})
}

// IntProgress is a progress bar from min to max; it begins at min.
func IntProgress(min, max int) *IntModel {
	return newInt("IntProgress", min, max, map[string]any{"bar_style": "", "orientation": "horizontal"})
}

func newInt(name string, min, max int, state map[string]any) *IntModel {
	state["min"], state["max"] = min, max
	w := &IntModel{min: min, max: max}
	w.common = common[*IntModel]{newControl(name, state), w}
	w.value = newValue(w.m, "value", min, w.check)
	if min > max || min < -maxExact || max > maxExact {
		w.wrong = &ValueError{name, "its range", fmt.Sprintf("%d to %d", min, max),
			"the smaller bound first, both within ±2⁵³"}
		w.m.fail(w.wrong)
	}
	return w
}

func (w *IntModel) check(v int) error {
	if w.wrong != nil {
		return w.wrong
	}
	if v < w.min || v > w.max {
		return &ValueError{w.m.name, "its value", v, fmt.Sprintf("%d to %d", w.min, w.max)}
	}
	return nil
}

// Value is the number that is set.
func (w *IntModel) Value() int { return w.made().value.get() }

// Set changes it, on all pages too. Error: *ValueError where it is out of the bounds, *ClosedError.
func (w *IntModel) Set(v int) error { return w.made().value.set(v) }

// At is Set for a chain; an error is in Err.
func (w *IntModel) At(v int) *IntModel {
	w.made()
	if err := w.Set(v); err != nil {
		w.m.fail(err)
	}
	return w
}

// Step is how far one key press goes; progress bars have none.
func (w *IntModel) Step(n int) *IntModel {
	w.made()
	if n < 1 {
		w.m.fail(&ValueError{w.m.name, "its step", n, "at least 1"})
		return w
	}
	return w.own("Step", "step", n)
}

// Late makes a slider report when it is let go, and not all along the way.
func (w *IntModel) Late() *IntModel { return w.made().own("Late", "continuous_update", false) }

// OnChange adds a function that is called with each new value, whoever set it.
func (w *IntModel) OnChange(f func(v int)) *IntModel {
	w.made()
	w.value.onChange(f)
	return w
}

// String is the widget as text.
func (w *IntModel) String() string {
	w.made()
	return fmt.Sprintf("%s(%d, %d to %d)", w.m.name, w.Value(), w.min, w.max)
}

// MIMEBundle shows the widget.
func (w *IntModel) MIMEBundle() display.Bundle { return w.made().m.bundle(w.String()) }

// A FloatModel is a number between two bounds, as a slider or a progress bar.
type FloatModel struct {
	common[*FloatModel]
	value    *value[float64]
	min, max float64
	wrong    error // of the bounds
}

// FloatSlider is a slider for the numbers from min to max; it begins at min, in 100 steps.
func FloatSlider(min, max float64) *FloatModel {
	return newFloat("FloatSlider", min, max, map[string]any{
		"step": roundStep((max - min) / 100), "continuous_update": true, "readout": true, "readout_format": ".3g",
		"orientation": "horizontal"})
}

// roundStep is a step as people count: one digit.
func roundStep(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 0, 64), 64)
	if err != nil || r <= 0 || math.IsInf(r, 0) {
		return 0.1
	}
	return r
}

// FloatProgress is a progress bar from min to max; it begins at min.
func FloatProgress(min, max float64) *FloatModel {
	return newFloat("FloatProgress", min, max, map[string]any{"bar_style": "", "orientation": "horizontal"})
}

func newFloat(name string, min, max float64, state map[string]any) *FloatModel {
	w := &FloatModel{min: min, max: max}
	state["min"], state["max"] = min, max
	w.common = common[*FloatModel]{newControl(name, state), w}
	w.value = newValue(w.m, "value", w.min, w.check)
	if !(min <= max) || math.IsInf(max-min, 0) {
		w.wrong = &ValueError{name, "its range", fmt.Sprintf("%g to %g", min, max), "finite bounds, the smaller first"}
		w.m.fail(w.wrong)
	}
	return w
}

func (w *FloatModel) check(v float64) error {
	if w.wrong != nil {
		return w.wrong
	}
	if !(v >= w.min && v <= w.max) {
		return &ValueError{w.m.name, "its value", v, fmt.Sprintf("%g to %g", w.min, w.max)}
	}
	return nil
}

// Value is the number that is set.
func (w *FloatModel) Value() float64 { return w.made().value.get() }

// Set changes it, on all pages too. Error: *ValueError where it is out of the bounds, *ClosedError.
func (w *FloatModel) Set(v float64) error { return w.made().value.set(v) }

// At is Set for a chain; an error is in Err.
func (w *FloatModel) At(v float64) *FloatModel {
	w.made()
	if err := w.Set(v); err != nil {
		w.m.fail(err)
	}
	return w
}

// Step is how far one key press goes; progress bars have none.
func (w *FloatModel) Step(d float64) *FloatModel {
	w.made()
	if !(d > 0) || math.IsInf(d, 0) {
		w.m.fail(&ValueError{w.m.name, "its step", d, "a finite number over 0"})
		return w
	}
	return w.own("Step", "step", d)
}

// Late makes a slider report when it is let go, and not all along the way.
func (w *FloatModel) Late() *FloatModel { return w.made().own("Late", "continuous_update", false) }

// OnChange adds a function that is called with each new value, whoever set it.
func (w *FloatModel) OnChange(f func(v float64)) *FloatModel {
	w.made()
	w.value.onChange(f)
	return w
}

// String is the widget as text.
func (w *FloatModel) String() string {
	w.made()
	return fmt.Sprintf("%s(%g, %g to %g)", w.m.name, w.Value(), w.min, w.max)
}

// MIMEBundle shows the widget.
func (w *FloatModel) MIMEBundle() display.Bundle { return w.made().m.bundle(w.String()) }
