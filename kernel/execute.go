package kernel

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

type executeRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      *bool             `json:"allow_stdin"`
	StopOnError     *bool             `json:"stop_on_error"`
}

// stores reports whether the cell's number and text are kept.
func (q executeRequest) stores() bool { return orTrue(q.StoreHistory) && !q.Silent }

func orTrue(b *bool) bool { return b == nil || *b }

type executeReply struct {
	Status          string                     `json:"status"`
	ExecutionCount  int64                      `json:"execution_count"`
	UserExpressions map[string]json.RawMessage `json:"user_expressions"`
	Payload         []json.RawMessage          `json:"payload"`
	*executeError
}

type executeError struct {
	Name      string   `json:"ename"`
	Value     string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

type executeInput struct {
	Code           string `json:"code"`
	ExecutionCount int64  `json:"execution_count"`
}

type executeResult struct {
	ExecutionCount int64          `json:"execution_count"`
	Data           map[string]any `json:"data"`
	Metadata       map[string]any `json:"metadata"`
}

// execute runs a cell.
func (k *Kernel) execute(ctx context.Context, r *request) (any, error) {
	var q executeRequest
	if err := r.Decode(&q); err != nil {
		return nil, malformed(r.Header.MsgType, err)
	}
	if r.aborted {
		return k.abortedReply(), nil
	}
	store := q.stores()
	count := k.count.Load() + 1
	if store {
		count = k.count.Add(1)
	}
	ctx, r.cancel = context.WithCancel(ctx)
	r.running = ctx
	defer r.cancel()
	defer r.over.Store(true)
	k.running.add(r)
	k.lastCell.Store(r)
	defer k.running.remove(r)
	if !q.Silent {
		r.input = &executeInput{q.Code, count}
	}
	reply := k.engine.Execute(ctx, r, worker.ExecuteRequest{
		Number: int(count), MessageID: r.Header.MsgID, Source: q.Code, Silent: q.Silent, StoreHistory: store,
		AllowStdin: orTrue(q.AllowStdin), UserExpressions: q.UserExpressions, Subshell: subshellOf(r),
	})
	k.begin(r)
	if store {
		k.history.add(count, q.Code, resultText(reply))
	}
	return k.executed(r, q, count, reply), nil
}

// subshellOf is the subshell that a request is for, empty for the main shell.
func subshellOf(r *request) string {
	if r.Header.SubshellID == nil {
		return mainShell
	}
	return *r.Header.SubshellID
}

// runningCells are the cells that run, one for each shell at most.
type runningCells struct {
	mu   sync.Mutex
	list []*request // the oldest first
}

func (c *runningCells) add(r *request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, r)
}

func (c *runningCells) remove(r *request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = slices.DeleteFunc(c.list, func(x *request) bool { return x == r })
}

func (c *runningCells) all() []*request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.list)
}

// abortedReply is the answer to a cell that does not run because one before it failed.
func (k *Kernel) abortedReply() any {
	return executeReply{
		Status: "aborted", ExecutionCount: k.count.Load(), UserExpressions: map[string]json.RawMessage{},
		Payload:      []json.RawMessage{},
		executeError: &executeError{"Aborted", "a cell before this one failed", []string{}},
	}
}

// executed publishes how a cell ended and makes its reply. Where the cell's number was not kept the
// reply has the last that was: front ends take the one after it for their next prompt.
func (k *Kernel) executed(r *request, q executeRequest, count int64, reply worker.ExecuteReply) any {
	out := executeReply{Status: "ok", ExecutionCount: count, UserExpressions: reply.UserExpressions,
		Payload: reply.Payload}
	if !q.stores() {
		out.ExecutionCount = k.count.Load()
	}
	if out.UserExpressions == nil {
		out.UserExpressions = map[string]json.RawMessage{}
	}
	if out.Payload == nil {
		out.Payload = []json.RawMessage{}
	}
	if e := reply.Error; e != nil {
		trace := e.Traceback
		if trace == nil {
			trace = []string{e.Name + ": " + e.Value}
		}
		out.Status, out.executeError = "error", &executeError{e.Name, e.Value, trace}
		if !q.Silent {
			_ = k.iopub.hold(r, "error", out.executeError) // strings always encode
		}
		if orTrue(q.StopOnError) && !q.Silent { // a person did not see it fail
			if l := k.shells.lane(r.Header.SubshellID); l != nil {
				l.abort()
			}
		}
		return out
	}
	if reply.Result != nil && !q.Silent {
		content := executeResult{count, reply.Result.Data, orEmpty(reply.Result.Metadata)}
		if err := k.iopub.hold(r, "execute_result", content); err != nil {
			k.log.Error("result not published", "error", err)
		}
	}
	return out
}

// resultText is what history keeps of a result.
func resultText(reply worker.ExecuteReply) string {
	if reply.Result == nil {
		return ""
	}
	var text string
	if raw, ok := reply.Result.Data["text/plain"].(json.RawMessage); ok {
		_ = json.Unmarshal(raw, &text) // a text that is no string is no text
	}
	return text
}
