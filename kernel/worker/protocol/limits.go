package protocol

import "time"

// CookieVariable is the environment variable in which a supervisor gives the worker its cookie.
const CookieVariable = "VYRE_KERNEL_WORKER"

const (
	// ChunkBytes is the most that one output frame carries.
	ChunkBytes = 64 << 10
	// PipeBytes is the pipe size asked for, so that a cell does not wait while its output gathers.
	PipeBytes = 1 << 20
	// LongRunningAfter is how long a cell runs before the worker looks whether it waits for
	// descriptor 0.
	LongRunningAfter = 60 * time.Millisecond
	// CloseGrace is how long a session may take to close when the worker ends.
	CloseGrace = 2 * time.Second
)
