package interp

import (
	"encoding/json"

	"github.com/vyre-kernel/vyre-kernel/interp/magic"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A pager gathers what a cell wants read beside the notebook, as payloads of its reply: JSON
// objects {source: "page", data: MIME bundle, start: line} (Jupyter messaging, "Payloads").
type pager []json.RawMessage

func (p *pager) add(page magic.Page) {
	// No error: strings and a number always have a JSON form.
	raw, _ := json.Marshal(map[string]any{"source": "page", "start": 0,
		"data": map[string]string{display.TypeText: page.Text}})
	*p = append(*p, raw)
}

// leave asks a console to end.
func (p *pager) leave() {
	*p = append(*p, json.RawMessage(`{"source":"ask_exit","keepkernel":false}`))
}
