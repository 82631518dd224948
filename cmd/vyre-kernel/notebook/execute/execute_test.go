package execute

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/cmd/vyre-kernel/notebook/export"
	"github.com/vyre-kernel/vyre-kernel/kernel/client"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// A script is a kernel whose cells are the messages to publish, one JSON object a line.
type script struct {
	interrupted chan struct{}
	count       int
}

func (s *script) Info(context.Context) (map[string]any, error) {
	return map[string]any{"language_info": map[string]any{"name": "go"}}, nil
}

func (s *script) Interrupt(context.Context) error { close(s.interrupted); return nil }

func (s *script) Execute(ctx context.Context, r client.Request) (client.Reply, error) {
	s.count++
	reply := client.Reply{Status: "ok", ExecutionCount: s.count}
	for line := range strings.Lines(r.Code) {
		kind, body, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch kind {
		case "wait":
			select {
			case <-s.interrupted:
				return client.Reply{Status: "error", ExecutionCount: s.count, ErrorName: "Interrupted"}, nil
			case <-ctx.Done():
				return client.Reply{}, context.Cause(ctx)
			}
		case "fail":
			reply.Status, reply.ErrorName, reply.ErrorValue = "error", "Panic", body
		default:
			r.Output(&wire.Message{Header: wire.Header{MsgType: kind}, Content: json.RawMessage(body)})
		}
	}
	return reply, nil
}

func notebook(cells ...string) *export.Notebook {
	nb := &export.Notebook{Metadata: map[string]any{}, Minor: 5}
	for _, source := range cells {
		nb.Cells = append(nb.Cells, export.Cell{Type: export.Code, Source: source})
	}
	return nb
}

func show(outputs []export.Output) string {
	var b strings.Builder
	for _, o := range outputs {
		text, _ := o.Data["text/plain"].(string)
		b.WriteString("[" + o.Type + ":" + o.Name + o.Text + text + o.ErrorName + "]")
	}
	return b.String()
}

func TestOutputs(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"streams join", `stream {"name":"stdout","text":"a"}
			stream {"name":"stdout","text":"b"}
			stream {"name":"stderr","text":"c"}`, "[stream:stdoutab][stream:stderrc]"},
		{"result after display", `display_data {"data":{"text/plain":"x"}}
			execute_result {"data":{"text/plain":"y"},"execution_count":1}`, "[display_data:x][execute_result:y]"},
		{"cleared at once", `stream {"name":"stdout","text":"a"}
			clear_output {"wait":false}`, ""},
		{"cleared when the next comes", `stream {"name":"stdout","text":"a"}
			clear_output {"wait":true}
			stream {"name":"stdout","text":"b"}`, "[stream:stdoutb]"},
		{"not cleared when none comes", `stream {"name":"stdout","text":"a"}
			clear_output {"wait":true}`, "[stream:stdouta]"},
		{"what leaves nothing", `execute_input {"code":"x"}
			comm_open {"comm_id":"1"}`, ""},
		{"error", `error {"ename":"Panic","evalue":"boom","traceback":["boom"]}`, "[error:Panic]"},
	} {
		nb := notebook(c.source)
		if err := Notebook(t.Context(), &script{}, nb, Options{}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := show(nb.Cells[0].Outputs); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestALaterCellUpdatesAnEarlierDisplay(t *testing.T) {
	nb := notebook(`display_data {"data":{"text/plain":"old"},"transient":{"display_id":"d"}}`,
		`update_display_data {"data":{"text/plain":"new"},"transient":{"display_id":"d"}}`)
	if err := Notebook(t.Context(), &script{}, nb, Options{}); err != nil {
		t.Fatal(err)
	}
	if got := show(nb.Cells[0].Outputs); got != "[display_data:new]" {
		t.Error(got)
	}
}

func TestAFailureEndsTheRunUnlessAllowed(t *testing.T) {
	for _, allow := range []bool{false, true} {
		nb := notebook("", "fail boom", `stream {"name":"stdout","text":"after"}`)
		err := Notebook(t.Context(), &script{}, nb, Options{AllowErrors: allow})
		var failed *CellError
		if !errors.As(err, &failed) || failed.Cell != 2 || failed.Value != "boom" {
			t.Errorf("allow %v: %v", allow, err)
		}
		if ran := len(nb.Cells[2].Outputs) == 1; ran != allow {
			t.Errorf("allow %v: the cell after it ran: %v", allow, ran)
		}
	}
}

func TestALongCellIsInterrupted(t *testing.T) {
	begin := time.Now()
	err := Notebook(t.Context(), &script{interrupted: make(chan struct{})}, notebook("wait"),
		Options{Timeout: 30 * time.Millisecond})
	var failed *CellError
	if !errors.As(err, &failed) || failed.Name != "Interrupted" || time.Since(begin) > 3*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
}
