package kernel_test

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/kerneltest"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// TestSubshellsRunConcurrently is that a subshell's cell runs while one of the main shell does, that the numbers of
// both are of one count, that each asks its own request's client, and that an interrupt ends both.
func TestSubshellsRunConcurrently(t *testing.T) { // U9
	_, c := start(t, inProcess())
	id, _ := c.Ask(connection.Control, "create_subshell_request", struct{}{}).Content()["subshell_id"].(string)
	in := func(m *wire.Message) { m.Header.SubshellID = &id }
	waits := c.Send(connection.Shell, "execute_request", kerneltest.Cell("print main\nwait"))
	for c.Next(connection.IOPub).Header.MsgType != "stream" {
	}
	a := c.Ask(connection.Shell, "execute_request", kerneltest.Cell("print sub\nresult sub"), in)
	if got := a.Content(); got["status"] != "ok" || got["execution_count"] != 2.0 || a.Text("stdout") != "sub\n" {
		t.Errorf("%v %q", got, a.Text("stdout"))
	}
	asks := c.Send(connection.Shell, "execute_request", kerneltest.Cell("input who"), in)
	q := c.Next(connection.Stdin)
	p, err := q.ParentHeader()
	if on := q.Header.SubshellID; err != nil || p.MsgID != asks || on == nil || *on != id {
		t.Errorf("%+v %+v", q.Header, p)
	}
	c.Send(connection.Control, "interrupt_request", struct{}{})
	ended := map[string]any{}
	for len(ended) < 2 {
		m := c.Next(connection.Shell)
		if p, err := m.ParentHeader(); err == nil {
			ended[p.MsgID] = kerneltest.Answer{Reply: m}.Content()["status"]
		}
	}
	if ended[waits] != "error" || ended[asks] != "error" {
		t.Errorf("an interrupt ends the cells with %v", ended)
	}
	if got := c.Execute("result 1").Content()["execution_count"]; got != 4.0 {
		t.Errorf("%v", got)
	}
	last := map[string]any{"hist_access_type": "tail", "n": 10}
	history := c.Ask(connection.Shell, "history_request", last).Content()["history"]
	if rows, _ := history.([]any); len(rows) != 4 {
		t.Errorf("%v", history)
	}
}
