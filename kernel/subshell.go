package kernel

import (
	"context"
	"fmt"
	"sync"

	"github.com/google/uuid"
)

// mainShell is the lane of requests that name no subshell.
const mainShell = ""

// maxSubshells bounds the lanes.
const maxSubshells = 256

// subshells are the lanes by id.
type subshells struct {
	mu    sync.Mutex
	lanes map[string]*lane
}

// open starts a lane; false when there are too many.
func (s *subshells) open(k *Kernel, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lanes == nil {
		s.lanes = map[string]*lane{}
	}
	if len(s.lanes) > maxSubshells {
		return false
	}
	l := newLane(k)
	s.lanes[id] = l
	k.work.Go(l.run)
	return true
}

// lane finds the lane that a header names; nil where there is none.
func (s *subshells) lane(id *string) *lane {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id == nil {
		return s.lanes[mainShell]
	}
	return s.lanes[*id]
}

func (s *subshells) remove(id string) *lane {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lanes[id]
	delete(s.lanes, id)
	return l
}

func (s *subshells) ids() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := []string{}
	for id := range s.lanes {
		if id != mainShell {
			ids = append(ids, id)
		}
	}
	return ids
}

func (s *subshells) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.lanes {
		l.close()
	}
}

type createSubshellReply struct {
	Status     string `json:"status"`
	SubshellID string `json:"subshell_id"`
}

// createSubshell opens a lane of its own, whose requests are handled concurrently with those of
// others: cells share one engine and its variables, their numbers, and the history.
func (k *Kernel) createSubshell(context.Context, *request) (any, error) {
	id := uuid.NewString()
	if !k.shells.open(k, id) {
		return nil, &RequestError{Name: "TooManySubshells",
			Value: fmt.Sprintf("there are %d subshells: delete_subshell_request ends one", maxSubshells)}
	}
	return createSubshellReply{"ok", id}, nil
}

func (k *Kernel) deleteSubshell(_ context.Context, r *request) (any, error) {
	var q struct {
		SubshellID string `json:"subshell_id"`
	}
	if err := r.Decode(&q); err != nil {
		return nil, malformed(r.Header.MsgType, err)
	}
	l := (*lane)(nil)
	if q.SubshellID != mainShell {
		l = k.shells.remove(q.SubshellID)
	}
	if l == nil {
		return nil, &RequestError{Name: "SubshellNotFound", Value: fmt.Sprintf("there is no subshell %q", q.SubshellID)}
	}
	for _, left := range l.end() {
		k.refuse(left, &RequestError{Name: "SubshellDeleted",
			Value: "the subshell was deleted before the request was handled"})
	}
	return okReply{"ok"}, nil
}

// end closes a lane and gives what it will not handle.
func (l *lane) end() []*request {
	l.mu.Lock()
	defer l.mu.Unlock()
	left := l.waiting
	l.waiting, l.closed = nil, true
	l.filled.Broadcast()
	return left
}

type okReply struct {
	Status string `json:"status"`
}

type listSubshellsReply struct {
	Status     string   `json:"status"`
	SubshellID []string `json:"subshell_id"`
}

func (k *Kernel) listSubshells(context.Context, *request) (any, error) {
	return listSubshellsReply{"ok", k.shells.ids()}, nil
}
