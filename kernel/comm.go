package kernel

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A commTable knows the comms that are open, by id, and their targets.
type commTable struct {
	mu   sync.Mutex
	open map[string]string
}

func (t *commTable) add(id, target string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open == nil {
		t.open = map[string]string{}
	}
	t.open[id] = target
}

func (t *commTable) remove(id string) {
	t.mu.Lock()
	delete(t.open, id)
	t.mu.Unlock()
}

// clear forgets all, and gives them.
func (t *commTable) clear() map[string]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := t.open
	t.open = nil
	return all
}

type commContent struct {
	ID     string          `json:"comm_id"`
	Target string          `json:"target_name,omitempty"`
	Data   json.RawMessage `json:"data"`
}

// outgoing gives the message for an event of the Go side; an empty type for an unknown kind.
func (t *commTable) outgoing(e worker.CommEvent) (string, commContent) {
	content := commContent{ID: e.ID, Data: e.Data}
	if len(content.Data) == 0 || string(content.Data) == "null" { // as nothing crosses the pipe
		content.Data = json.RawMessage("{}")
	}
	switch e.Kind {
	case "open":
		t.add(e.ID, e.Target)
		content.Target = e.Target
		return "comm_open", content
	case "msg":
		return "comm_msg", content
	case "close":
		t.remove(e.ID)
		return "comm_close", content
	}
	return "", content
}

func (k *Kernel) commOpen(ctx context.Context, r *request) (any, error) {
	return k.comm(ctx, r, "open", func(c commContent) { k.comms.add(c.ID, c.Target) })
}

func (k *Kernel) commMsg(ctx context.Context, r *request) (any, error) {
	return k.comm(ctx, r, "msg", func(commContent) {})
}

func (k *Kernel) commClose(ctx context.Context, r *request) (any, error) {
	return k.comm(ctx, r, "close", func(c commContent) { k.comms.remove(c.ID) })
}

// comm hands an event of the front end to the Go side.
func (k *Kernel) comm(ctx context.Context, r *request, kind string, note func(commContent)) (any, error) {
	var c commContent
	if err := r.Decode(&c); err != nil {
		return nil, malformed(r.Header.MsgType, err)
	}
	note(c)
	return nil, k.engine.Comm(ctx, r, worker.CommEvent{
		Kind: kind, ID: c.ID, Target: c.Target, Data: c.Data, Metadata: r.Metadata, Buffers: r.Buffers,
	})
}

type commInfoReply struct {
	Status string              `json:"status"`
	Comms  map[string]commInfo `json:"comms"`
}

type commInfo struct {
	Target string `json:"target_name"`
}

func (k *Kernel) commInfo(_ context.Context, r *request) (any, error) {
	var q struct {
		Target string `json:"target_name"`
	}
	if err := r.Decode(&q); err != nil {
		return nil, malformed(r.Header.MsgType, err)
	}
	reply := commInfoReply{Status: "ok", Comms: map[string]commInfo{}}
	k.comms.mu.Lock()
	defer k.comms.mu.Unlock()
	for id, target := range k.comms.open {
		if q.Target == "" || q.Target == target {
			reply.Comms[id] = commInfo{target}
		}
	}
	return reply, nil
}
