package widgets

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
	"github.com/vyre-kernel/vyre-kernel/widgets/comm"
)

// An OutputModel is a place for what Go prints and shows.
type OutputModel struct {
	common[*OutputModel]
	capture sync.Mutex // guards depth
	depth   int        // captures that run
}

// Output is an empty place for output.
func Output() *OutputModel {
	w := &OutputModel{}
	m := newModel(outputModule, outputAt, "Output", map[string]any{"msg_id": "", "outputs": []any{}})
	m.refs["layout"] = newLayout()
	m.take["msg_id"] = func(json.RawMessage) (func(), error) { return nil, nil } // this side says what is captured
	w.common = common[*OutputModel]{m, w}
	return w
}

// Capture calls f; what the cells print and show meanwhile appears in the widget, after what is
// there. The front end tells outputs apart by the cell they belong to: what goroutines print at the
// same time appears here too.
func (w *OutputModel) Capture(f func()) {
	if w.made(); f == nil {
		panic(noFunction(w.m, "Capture"))
	}
	w.begin(1)
	defer w.begin(-1)
	f()
}

// begin counts a capture in or out; the first tells the front end what to capture, the last that it
// is over.
func (w *OutputModel) begin(n int) {
	w.capture.Lock()
	defer w.capture.Unlock()
	w.depth += n
	l := comm.Connected()
	switch {
	case l == nil:
	case n > 0 && w.depth == 1:
		if err := w.m.open(); err != nil {
			report(err)
		}
		w.m.fail(w.m.set(map[string]any{"msg_id": l.Parent()}))
		Flush() // before what is to be captured
	case n < 0 && w.depth == 0:
		_ = w.m.set(map[string]any{"msg_id": ""}) // one that is closed captures nothing any more
		Flush()
	}
}

// Show shows values in the widget, after what is there.
func (w *OutputModel) Show(values ...any) { w.made().Capture(func() { display.Show(values...) }) }

// Clear empties the widget.
func (w *OutputModel) Clear() { w.made().Replace() }

// Replace shows values in place of all that was there, in one step.
func (w *OutputModel) Replace(values ...any) {
	w.made()
	outputs := []any{}
	for _, v := range values {
		outputs = append(outputs, shown(display.Render(v)))
	}
	w.m.fail(w.m.set(map[string]any{"outputs": outputs}))
}

// An output is one as notebooks keep it.
type output struct {
	Type     string         `json:"output_type"`
	Data     map[string]any `json:"data"`
	Metadata map[string]any `json:"metadata"`
}

// shown is a bundle as a notebook keeps it: binary data is base64, which []byte becomes in JSON.
func shown(b display.Bundle) output {
	if b.Metadata == nil {
		b.Metadata = map[string]any{}
	}
	return output{"display_data", b.Data, b.Metadata}
}

// String is the widget as text.
func (w *OutputModel) String() string {
	w.made()
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	n := 0
	switch list := w.m.state["outputs"].(type) {
	case []any:
		n = len(list)
	case json.RawMessage:
		var all []json.RawMessage
		if json.Unmarshal(list, &all) == nil {
			n = len(all)
		}
	}
	return fmt.Sprintf("Output(%d outputs)", n)
}

// MIMEBundle shows the widget.
func (w *OutputModel) MIMEBundle() display.Bundle { return w.made().m.bundle(w.String()) }
