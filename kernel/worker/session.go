package worker

import (
	"context"
	"encoding/json"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Session is the language side: what the worker process serves. The kernel never sees one; it
// sees the same vocabulary on the other end of the pipe.
//
// Execute is called for one cell of a shell at a time, and concurrently for those of different
// shells (ExecuteRequest.Subshell). The other methods may be called while a cell runs and must not
// wait for it. A cancelled context is the front end's interrupt.
type Session interface {
	Execute(ctx context.Context, req ExecuteRequest, host Host) ExecuteReply
	Complete(ctx context.Context, req CompleteRequest) CompleteReply
	Inspect(ctx context.Context, req InspectRequest) InspectReply
	IsComplete(ctx context.Context, req IsCompleteRequest) IsCompleteReply
	// Comm delivers an event that the front end sent on a comm.
	Comm(ctx context.Context, event CommEvent, host Host)
	// Close ends everything that cells left behind: goroutines, devices, files.
	Close() error
}

// A Host is what a cell can ask of the kernel it runs in. All methods are safe for use by several
// goroutines at once, and keep the order of one goroutine's calls, among them and with what that
// goroutine wrote to os.Stdout and os.Stderr before.
type Host interface {
	// Display shows, or with Update set replaces, an output.
	Display(Display)
	// ClearOutput empties the cell's output; with wait, when the next output comes.
	ClearOutput(wait bool)
	// Input asks the person for a line. It fails where the front end does not allow it
	// (ErrStdinNotAllowed), when ctx is cancelled, and with io.EOF where the person said that there
	// is no more (Ctrl-D).
	Input(ctx context.Context, prompt string, password bool) (string, error)
	// Comm sends an event to the front end.
	Comm(CommEvent)
}

// An ExecuteRequest is one cell to run. Number is the execution count that the cell will carry, and
// what positions in messages call it: In[Number]:line:column.
type ExecuteRequest struct {
	Number int
	// MessageID is the request's own, the parent of all that the cell shows.
	MessageID string
	// Subshell is the subshell that the cell is on, empty for the main shell. Cells of one run one
	// after the other, those of different ones concurrently.
	Subshell        string
	Source          string
	Silent          bool
	StoreHistory    bool
	AllowStdin      bool
	UserExpressions map[string]string
}

// An ExecuteReply says how a cell ended. Exactly one of Result (may be nil: nothing to show) and
// Error is meaningful.
type ExecuteReply struct {
	Result          *display.Bundle
	Error           *CellError
	UserExpressions map[string]json.RawMessage
	Payload         []json.RawMessage
}

// A CellError is an error as a front end shows it.
type CellError struct {
	// Name is its class (CompileError, Panic, Interrupted, Refused, WorkerDied, ...).
	Name string
	// Value is the message in one line.
	Value string
	// Traceback is the text shown, ANSI colours allowed, a line an element.
	Traceback []string
}

// A Display is one output beside the result of a cell.
type Display struct {
	Bundle display.Bundle
	// ID, where not empty, names the output so that a later Display with Update can replace it.
	ID     string
	Update bool
}

// A CompleteRequest asks what could stand at Cursor, a byte offset into Source.
type CompleteRequest struct {
	Source string
	Cursor int
}

// A CompleteReply holds the candidates, each of which would replace Source[Start:End] (byte
// offsets).
type CompleteReply struct {
	Start, End int
	Matches    []Completion
}

// A Completion is one candidate. Kind uses JupyterLab's words: function, type, instance, module,
// keyword, property, constant.
type Completion struct {
	Text, Kind, Signature string
}

// An InspectRequest asks about what stands at Cursor, a byte offset. Detail 1 asks for more.
type InspectRequest struct {
	Source string
	Cursor int
	Detail int
}

// An InspectReply holds documentation, or Found false.
type InspectReply struct {
	Found  bool
	Bundle display.Bundle
}

// An IsCompleteRequest asks whether Source is a whole cell.
type IsCompleteRequest struct{ Source string }

// An IsCompleteReply answers complete, incomplete (then Indent is what the next line starts with),
// invalid or unknown.
type IsCompleteReply struct{ Status, Indent string }

// A CommEvent is a comm message either way. Kind is open, msg or close.
type CommEvent struct {
	Kind     string
	ID       string
	Target   string
	Data     json.RawMessage
	Metadata json.RawMessage
	Buffers  [][]byte
}
