package kernel

import (
	"context"
	"fmt"
)

// An entry is one cell of a session.
type entry struct {
	session       int64
	line          int64
	input, output string
}

// A historian keeps cells.
type historian interface {
	// add notes a cell of the present session.
	add(line int64, input, output string)
	// present is the number of the present session.
	present() int64
	// session gives the cells of a session from start up to, not including, stop.
	session(session, start, stop int64) ([]entry, error)
	// last gives all cells or, with n >= 0, the last n that match, oldest first. Unique keeps only
	// the last of equal inputs.
	last(n int, match func(input string) bool, unique bool) ([]entry, error)
	close() error
}

type historyRequest struct {
	Output     bool   `json:"output"`
	AccessType string `json:"hist_access_type"`
	Session    int64  `json:"session"`
	Start      int64  `json:"start"`
	Stop       *int64 `json:"stop"`
	N          *int   `json:"n"`
	Pattern    string `json:"pattern"`
	Unique     bool   `json:"unique"`
}

type historyReply struct {
	Status  string   `json:"status"`
	History [][3]any `json:"history"`
}

func (k *Kernel) historyRequest(_ context.Context, r *request) (any, error) {
	var q historyRequest
	if err := r.Decode(&q); err != nil {
		return nil, malformed(r.Header.MsgType, err)
	}
	access, ok := historyAccess[q.AccessType]
	if !ok {
		return nil, &RequestError{Name: "MalformedRequest",
			Value: fmt.Sprintf("hist_access_type is %q: want range, tail or search", q.AccessType)}
	}
	entries, err := access(k.history, q)
	if err != nil {
		return nil, &RequestError{Name: "HistoryFailed", Value: err.Error()}
	}
	reply := historyReply{Status: "ok", History: [][3]any{}}
	for _, e := range entries {
		row := [3]any{e.session, e.line, e.input}
		if q.Output {
			row[2] = [2]any{e.input, nullable(e.output)}
		}
		reply.History = append(reply.History, row)
	}
	return reply, nil
}

// nullable is how the protocol writes a cell without a result.
func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (q historyRequest) limit() int {
	if q.N == nil {
		return -1
	}
	return max(*q.N, 0)
}

var historyAccess = map[string]func(historian, historyRequest) ([]entry, error){
	"tail": func(h historian, q historyRequest) ([]entry, error) {
		return h.last(q.limit(), func(string) bool { return true }, false)
	},
	// A session of 0 is the present one, a negative one counts back from it; no stop is no end.
	"range": func(h historian, q historyRequest) ([]entry, error) {
		session, stop := q.Session, int64(1)<<62
		if session <= 0 {
			session += h.present()
		}
		if q.Stop != nil {
			stop = *q.Stop
		}
		return h.session(session, q.Start, stop)
	},
	// Patterns are those of file names: * and ?.
	"search": func(h historian, q historyRequest) ([]entry, error) {
		pattern := q.Pattern
		if pattern == "" {
			pattern = "*"
		}
		return h.last(q.limit(), globMatcher(pattern), q.Unique)
	},
}
