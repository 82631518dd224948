package interp

import (
	"context"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// Complete answers what could stand at the cursor.
func (s *Session) Complete(_ context.Context, req worker.CompleteRequest) worker.CompleteReply {
	return worker.CompleteReply{Start: req.Cursor, End: req.Cursor}
}

// Inspect answers what the name at the cursor is.
func (s *Session) Inspect(_ context.Context, req worker.InspectRequest) worker.InspectReply {
	return worker.InspectReply{}
}
