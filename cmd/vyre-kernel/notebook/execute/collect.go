package execute

import (
	"sync"

	"github.com/vyre-kernel/vyre-kernel/cmd/vyre-kernel/notebook/export"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// A collector turns the messages that a cell publishes into its outputs.
type collector struct {
	mu       sync.Mutex
	list     []*export.Output
	clear    bool // empty the list when the next output comes
	displays map[string][]*export.Output
}

// content is the union of what output messages carry.
type content struct {
	Name           string         `json:"name"`
	Text           string         `json:"text"`
	Data           map[string]any `json:"data"`
	Metadata       map[string]any `json:"metadata"`
	ExecutionCount *int           `json:"execution_count"`
	Transient      struct {
		DisplayID string `json:"display_id"`
	} `json:"transient"`
	ErrorName  string   `json:"ename"`
	ErrorValue string   `json:"evalue"`
	Traceback  []string `json:"traceback"`
	Wait       bool     `json:"wait"`
}

var takers = map[string]func(*collector, content){
	"stream":              (*collector).stream,
	"display_data":        func(c *collector, m content) { c.display(export.DisplayData, m) },
	"execute_result":      func(c *collector, m content) { c.display(export.ExecuteResult, m) },
	"update_display_data": (*collector).update,
	"clear_output":        (*collector).clearOutput,
	"error":               (*collector).failed,
}

// take takes one message; kinds that leave nothing in a notebook (execute_input, comms) pass by.
func (c *collector) take(m *wire.Message) {
	taker, ok := takers[m.Header.MsgType]
	if !ok {
		return
	}
	var body content
	if m.Decode(&body) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	taker(c, body)
}

func (c *collector) outputs() []export.Output {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]export.Output, len(c.list))
	for i, o := range c.list {
		all[i] = *o
	}
	return all
}

func (c *collector) add(o *export.Output) {
	if c.clear {
		c.list, c.clear = nil, false
	}
	c.list = append(c.list, o)
}

// stream joins what follows on the same stream to one output.
func (c *collector) stream(m content) {
	if n := len(c.list); n > 0 && !c.clear && c.list[n-1].Type == export.Stream && c.list[n-1].Name == m.Name {
		c.list[n-1].Text += m.Text
		return
	}
	c.add(&export.Output{Type: export.Stream, Name: m.Name, Text: m.Text})
}

func (c *collector) display(kind string, m content) {
	o := &export.Output{Type: kind, Data: m.Data, Metadata: m.Metadata, ExecutionCount: m.ExecutionCount}
	c.add(o)
	if id := m.Transient.DisplayID; id != "" {
		c.displays[id] = append(c.displays[id], o)
	}
}

// update replaces the content of every display of that id.
func (c *collector) update(m content) {
	for _, o := range c.displays[m.Transient.DisplayID] {
		o.Data, o.Metadata = m.Data, m.Metadata
	}
}

func (c *collector) clearOutput(m content) {
	if m.Wait {
		c.clear = true
		return
	}
	c.list = nil
}

func (c *collector) failed(m content) {
	c.add(&export.Output{Type: export.Error, ErrorName: m.ErrorName, ErrorValue: m.ErrorValue, Traceback: m.Traceback})
}
