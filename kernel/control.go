package kernel

import (
	"context"
	"encoding/json"
)

func (k *Kernel) interrupt(context.Context, *request) (any, error) {
	k.interruptCell()
	return okReply{"ok"}, nil
}

// interruptCell stops the cells that run, on all shells: an interrupt is the kernel's. The contexts
// reach cells that are only about to run; the engine counts how often it was asked.
func (k *Kernel) interruptCell() {
	for _, cell := range k.running.all() {
		cell.cancel()
	}
	k.engine.Interrupt()
}

// shutdownReply ends the kernel when it and the idle after it are queued.
type shutdownReply struct {
	Status  string `json:"status"`
	Restart bool   `json:"restart"`
	stop    context.CancelFunc
}

func (s shutdownReply) after() { s.stop() }

// shutdown answers, on iopub too where all clients see it, and ends the kernel. A client that
// restarts starts a new process.
func (k *Kernel) shutdown(_ context.Context, r *request) (any, error) {
	var q struct {
		Restart bool `json:"restart"`
	}
	if err := r.Decode(&q); err != nil {
		return nil, malformed(r.Header.MsgType, err)
	}
	reply := shutdownReply{Status: "ok", Restart: q.Restart, stop: k.stop}
	if err := k.iopub.publish(r, "shutdown_reply", reply, nil); err != nil {
		return nil, err
	}
	return reply, nil
}

// debugReply is a response of the Debug Adapter Protocol.
type debugReply struct {
	Type       string          `json:"type"`
	Seq        int             `json:"seq"`
	RequestSeq int             `json:"request_seq"`
	Success    bool            `json:"success"`
	Command    string          `json:"command"`
	Message    string          `json:"message"`
	Body       json.RawMessage `json:"body"`
}

// debug refuses: kernel_info says that there is no debugger.
func (k *Kernel) debug(_ context.Context, r *request) (any, error) {
	var q struct {
		Seq     int    `json:"seq"`
		Command string `json:"command"`
	}
	if err := r.Decode(&q); err != nil {
		return nil, malformed(r.Header.MsgType, err)
	}
	return debugReply{
		Type: "response", RequestSeq: q.Seq, Command: q.Command, Body: json.RawMessage("{}"),
		Message: "this kernel has no debugger (kernel_info_reply says debugger: false)",
	}, nil
}
