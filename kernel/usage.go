package kernel

import (
	"context"
	"os"
	"runtime"
)

type usageReply struct {
	Hostname string `json:"hostname"`
	PID      int    `json:"pid"`
	// WorkerPID is the process that runs cells, 0 while there is none.
	WorkerPID int `json:"worker_pid"`
	CPUCount  int `json:"cpu_count"`
	// Memory is the resident size of both processes in bytes, absent where the system does not tell.
	Memory *int64 `json:"kernel_memory,omitempty"`
	// CPU is the processor time of both processes since their start, in seconds.
	CPU *float64 `json:"kernel_cpu_seconds,omitempty"`
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
	return reply, nil
}
