package kernel

import (
	"context"
	"os"
	"runtime"
	"time"
)

type usageReply struct {
	Hostname string `json:"hostname"`
	PID      int    `json:"pid"`
	// WorkerPID is the process that runs cells, 0 while there is none.
	WorkerPID int `json:"worker_pid"`
	CPUCount  int `json:"cpu_count"`
	// Memory is the resident size of both processes in bytes, absent where the system does not
	// tell.
	Memory *int64 `json:"kernel_memory,omitempty"`
	// CPU is the processor time of both processes since their start, in seconds.
	CPU *float64 `json:"kernel_cpu_seconds,omitempty"`
	// Percent is what they took of one processor since the request before, 100 all of it; 0 in the
	// first reply.
	Percent *float64 `json:"kernel_cpu,omitempty"`
	// HostPercent is what all processes took of all processors since the request before; absent in
	// the first reply.
	HostPercent *float64    `json:"host_cpu_percent,omitempty"`
	HostMemory  *hostMemory `json:"host_virtual_memory,omitempty"`
}

// hostMemory is the memory of the machine in bytes; Percent of Total is Used.
type hostMemory struct {
	Total     int64   `json:"total"`
	Available int64   `json:"available"`
	Percent   float64 `json:"percent"`
	Used      int64   `json:"used"`
	Free      int64   `json:"free"`
}

// hostTime is processor time of the machine since its start, in ticks.
type hostTime struct{ busy, all float64 }

// usageBefore is what the request before found: shares of processors are those since then. The
// control channel's reader alone uses it.
type usageBefore struct {
	at      time.Time
	kernel  float64 // seconds
	worker  int     // pid: a new one begins at 0
	machine hostTime
}

// usage tells what the kernel's two processes use.
func (k *Kernel) usage(context.Context, *request) (any, error) {
	host, err := os.Hostname()
	if err != nil {
		return nil, &RequestError{Name: "UsageFailed", Value: err.Error()}
	}
	reply := usageReply{Hostname: host, PID: os.Getpid(), WorkerPID: k.engine.PID(), CPUCount: runtime.NumCPU()}
	var memory int64
	var cpu float64
	for _, pid := range []int{reply.PID, reply.WorkerPID} {
		if pid == 0 || pid == reply.PID && memory > 0 {
			continue
		}
		m, c, ok := processUsage(pid)
		if !ok {
			return reply, nil
		}
		memory += m
		cpu += c
	}
	reply.Memory, reply.CPU = &memory, &cpu
	k.shares(&reply)
	return reply, nil
}

// shares adds what became of processors since the request before, and the machine's memory.
func (k *Kernel) shares(reply *usageReply) {
	now, before := usageBefore{at: time.Now(), kernel: *reply.CPU, worker: reply.WorkerPID}, k.used
	reply.Percent = new(float64)
	if took := now.at.Sub(before.at).Seconds(); !before.at.IsZero() && before.worker == now.worker && took > 0 {
		*reply.Percent = 100 * (now.kernel - before.kernel) / took
	}
	if t, memory, ok := hostUsage(); ok {
		now.machine, reply.HostMemory = t, &memory
		if all := t.all - before.machine.all; before.machine.all > 0 && all > 0 {
			percent := 100 * (t.busy - before.machine.busy) / all
			reply.HostPercent = &percent
		}
	}
	k.used = now
}
