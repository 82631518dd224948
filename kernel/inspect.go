package kernel

import (
	"context"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

type inspectReply struct {
	Status   string         `json:"status"`
	Found    bool           `json:"found"`
	Data     map[string]any `json:"data"`
	Metadata map[string]any `json:"metadata"`
}

func (k *Kernel) inspect(ctx context.Context, r *request) (any, error) {
	var q codeRequest
	if err := r.Decode(&q); err != nil {
		return nil, malformed(r.Header.MsgType, err)
	}
	ctx, cancel := context.WithTimeout(ctx, questionTime)
	defer cancel()
	c, err := k.engine.Inspect(ctx, worker.InspectRequest{Source: q.Code, Cursor: q.cursor(), Detail: q.Detail})
	if err != nil {
		return nil, &RequestError{Name: "InspectionFailed", Value: err.Error()}
	}
	return inspectReply{"ok", c.Found, orEmpty(c.Bundle.Data), orEmpty(c.Bundle.Metadata)}, nil
}
