package client

import (
	"context"

	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// A Request is a cell to execute.
type Request struct {
	Code string
	// Output takes each message that the cell publishes, except status, in order.
	Output func(*wire.Message)
	// Input answers the cell's questions; nil: they are not allowed.
	Input func(prompt string, password bool) (string, error)
}

// A Reply says how a cell ended.
type Reply struct {
	Status         string   `json:"status"` // ok, error or aborted
	ExecutionCount int      `json:"execution_count"`
	ErrorName      string   `json:"ename"`
	ErrorValue     string   `json:"evalue"`
	Traceback      []string `json:"traceback"`
}

// Execute runs a cell and returns when it is over and all its output was handed out. When ctx ends
// first it returns at once; the cell runs on until Interrupt.
func (c *Client) Execute(ctx context.Context, r Request) (Reply, error) {
	x := newExchange(r.Output, nil)
	if r.Input != nil {
		x.input = func(m *wire.Message) { c.answer(m, r.Input) }
	}
	m, err := c.request(ctx, "execute_request", map[string]any{
		"code": r.Code, "silent": false, "store_history": true, "user_expressions": struct{}{},
		"allow_stdin": r.Input != nil, "stop_on_error": true,
	}, x)
	if err != nil {
		return Reply{}, err
	}
	var reply Reply
	return reply, m.Decode(&reply)
}

// answer sends what the person typed; where they gave nothing the cell reads an empty line.
func (c *Client) answer(m *wire.Message, ask func(string, bool) (string, error)) {
	var question struct {
		Prompt   string `json:"prompt"`
		Password bool   `json:"password"`
	}
	if m.Decode(&question) != nil {
		return
	}
	value, err := ask(question.Prompt, question.Password)
	if err != nil {
		value = ""
	}
	header, err := m.HeaderJSON()
	if err != nil {
		return
	}
	// a kernel that is gone asks no more
	_, _ = c.send(c.sockets.stdin, "input_reply", map[string]string{"value": value}, header, nil)
}
