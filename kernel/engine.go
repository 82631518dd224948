package kernel

import (
	"context"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

// An Engine is what cells are handed to: *supervise.Supervisor. Tags come back with what a cell
// sends.
type Engine interface {
	Execute(ctx context.Context, tag any, req worker.ExecuteRequest) worker.ExecuteReply
	Complete(ctx context.Context, req worker.CompleteRequest) (worker.CompleteReply, error)
	Inspect(ctx context.Context, req worker.InspectRequest) (worker.InspectReply, error)
	IsComplete(ctx context.Context, req worker.IsCompleteRequest) (worker.IsCompleteReply, error)
	Comm(ctx context.Context, tag any, e worker.CommEvent) error
	Interrupt()
	PID() int
	Close() error
}

var _ Engine = (*supervise.Supervisor)(nil)
