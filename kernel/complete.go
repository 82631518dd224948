package kernel

import (
	"context"
	"time"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// questionTime bounds a completion or an inspection: later nobody looks at the answer.
const questionTime = 10 * time.Second

type codeRequest struct {
	Code      string `json:"code"`
	CursorPos *int   `json:"cursor_pos"`
	Detail    int    `json:"detail_level"`
}

// cursor is the byte offset of the cursor, which the protocol counts in code points; absent it is
// the end.
func (q codeRequest) cursor() int {
	if q.CursorPos == nil {
		return len(q.Code)
	}
	return byteOffset(q.Code, *q.CursorPos)
}

func byteOffset(s string, points int) int {
	if points < 0 {
		return 0
	}
	for i := range s {
		if points == 0 {
			return i
		}
		points--
	}
	return len(s)
}

// codePoints is the number of code points before byte offset n.
func codePoints(s string, n int) int { return utf8.RuneCountInString(s[:max(0, min(n, len(s)))]) }

type completeReply struct {
	Status      string           `json:"status"`
	Matches     []string         `json:"matches"`
	CursorStart int              `json:"cursor_start"`
	CursorEnd   int              `json:"cursor_end"`
	Metadata    completeMetadata `json:"metadata"`
}

// completeMetadata carries kinds and signatures, which front ends show beside the candidates.
type completeMetadata struct {
	Types []completionType `json:"_jupyter_types_experimental"`
}

type completionType struct {
	Text      string `json:"text"`
	Type      string `json:"type"`
	Signature string `json:"signature"`
	Start     int    `json:"start"`
	End       int    `json:"end"`
}

func (k *Kernel) complete(ctx context.Context, r *request) (any, error) {
	var q codeRequest
	if err := r.Decode(&q); err != nil {
		return nil, malformed(r.Header.MsgType, err)
	}
	ctx, cancel := context.WithTimeout(ctx, questionTime)
	defer cancel()
	c, err := k.engine.Complete(ctx, worker.CompleteRequest{Source: q.Code, Cursor: q.cursor()})
	if err != nil {
		return nil, &RequestError{Name: "CompletionFailed", Value: err.Error()}
	}
	start, end := codePoints(q.Code, c.Start), codePoints(q.Code, c.End)
	reply := completeReply{
		Status: "ok", Matches: []string{}, CursorStart: start, CursorEnd: end,
		Metadata: completeMetadata{Types: []completionType{}},
	}
	for _, m := range c.Matches {
		reply.Matches = append(reply.Matches, m.Text)
		reply.Metadata.Types = append(reply.Metadata.Types, completionType{m.Text, m.Kind, m.Signature, start, end})
	}
	return reply, nil
}

type isCompleteReply struct {
	Status string  `json:"status"`
	Indent *string `json:"indent,omitempty"` // of incomplete code alone
}

func (k *Kernel) isComplete(ctx context.Context, r *request) (any, error) {
	var q codeRequest
	if err := r.Decode(&q); err != nil {
		return nil, malformed(r.Header.MsgType, err)
	}
	ctx, cancel := context.WithTimeout(ctx, questionTime)
	defer cancel()
	c, err := k.engine.IsComplete(ctx, worker.IsCompleteRequest{Source: q.Code})
	if err != nil {
		k.log.Warn("is_complete", "error", err)
		return isCompleteReply{Status: "unknown"}, nil // the status that the protocol has for it
	}
	reply := isCompleteReply{Status: c.Status}
	if c.Status == "incomplete" {
		reply.Indent = &c.Indent
	}
	return reply, nil
}
