package supervise

import (
	"context"
	"io"
	"time"
)

// A Launcher starts workers. There are two: Command, a process, and InProcess, a goroutine.
type Launcher interface {
	launch() (*link, error)
}

// A link is one started worker as the supervisor sees it.
type link struct {
	pid     int
	in      io.Writer // cells
	control io.Writer // all else that goes to the worker
	out     io.Reader // events
	cookie  string    // empty: no handshake
	// kill ends the worker and what it started.
	kill func()
	// wait returns, after the worker has ended, how, and what it left unsent.
	wait func() ending
	// expire makes reads of out fail when t has come.
	expire func(t time.Time)
	// close gives back what out holds.
	close func()
}

// An ending is how a worker ended.
type ending struct {
	State          string // "exit status 2", "signal: killed"
	Crash          string // what the Go runtime wrote when it died
	Stdout, Stderr []byte // what was written and not passed on
}

// InProcess runs a worker on goroutines of this process, with the same protocol over pipes in
// memory: for tests, and for programs that trust their cells. Serve is what answers: serve.Pipes of
// a session.
type InProcess struct {
	Serve func(in, control io.Reader, out io.Writer) error
}

var _ Launcher = InProcess{}

func (p InProcess) launch() (*link, error) {
	requestsRead, requestsWrite := io.Pipe()
	controlRead, controlWrite := io.Pipe()
	eventsRead, eventsWrite := io.Pipe()
	ended := make(chan ending, 1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		defer cancel()
		err := p.Serve(requestsRead, controlRead, eventsWrite)
		_ = eventsWrite.CloseWithError(io.EOF)
		_ = requestsRead.CloseWithError(io.ErrClosedPipe)
		_ = controlRead.CloseWithError(io.ErrClosedPipe)
		e := ending{State: "ended"}
		if err != nil {
			e.State = err.Error()
		}
		ended <- e
	}()
	kill := func() {
		_ = requestsWrite.CloseWithError(io.EOF)
		_ = controlWrite.CloseWithError(io.EOF)
		_ = eventsWrite.CloseWithError(io.EOF)
	}
	return &link{
		in: requestsWrite, control: controlWrite, out: eventsRead, kill: kill,
		wait:   func() ending { return <-ended },
		expire: func(time.Time) { _ = eventsRead.CloseWithError(ctx.Err()) },
		close:  func() { _ = eventsRead.Close() },
	}, nil
}
