// Package widgets is ipywidgets' controls for Go: sliders, progress bars, buttons, texts, choices,
// boxes and captured output that a front end shows and whose changes call Go, while a cell runs and
// while none does.
//
//	k := widgets.IntSlider(1, 20).Description("waves")
//	k.OnChange(func(v int) { fmt.Println(v) })
//	k
//
//	widgets.Interact(func(k int) any { return draw(k) }, widgets.IntSlider(1, 20))
//
// Each widget is a model whose state both sides hold (model.go), in step by the Jupyter widget
// messaging protocol 2.1.0 over a comm (package comm; protocol.go); layout and style are models of
// their own (style.go). What Go sets waits in updates.go while it is faster than pages draw, and
// made.go refuses what no function made. number.go, text.go, choice.go, button.go, box.go and
// output.go are the widgets, interact.go joins some to a function. A model is opened when it is
// first shown, so that in a program without a front end a widget is a value with callbacks and a
// text.
//
// Errors from chained setters are reported by Err, and shown in place of the widget.
package widgets
