package kernel

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"

	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/transport"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

// Options say what a kernel is to be.
type Options struct {
	// ConnectionFile is the path of the file that the client wrote.
	ConnectionFile string
	// Worker is what executes cells: supervise.Command, or supervise.InProcess in tests.
	Worker supervise.Launcher
	// Info is what the kernel says of itself.
	Info Info
	// HistoryFile is the SQLite file that keeps history over sessions; empty: memory only. A file
	// that cannot be used is logged.
	HistoryFile string
	// AllowRemote lets the kernel listen beyond this machine without encryption.
	AllowRemote bool
	// Limits bound what peers of the sockets can use; the zero value is the defaults.
	Limits transport.Limits
	// Log; nil discards.
	Log *slog.Logger
}

// Info is what kernel_info tells.
type Info struct {
	Implementation string
	Version        string
	Banner         string
	Language       Language
	HelpLinks      []HelpLink
}

// Language describes what cells are written in.
type Language struct {
	Name           string `json:"name"`
	Version        string `json:"version"`
	MIMEType       string `json:"mimetype"`
	FileExtension  string `json:"file_extension"`
	PygmentsLexer  string `json:"pygments_lexer,omitempty"`
	CodeMirrorMode any    `json:"codemirror_mode,omitempty"`
	NBConvert      string `json:"nbconvert_exporter,omitempty"`
}

// A HelpLink is an entry of the front end's help menu.
type HelpLink struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// A Kernel serves one connection.
type Kernel struct {
	info    Info
	log     *slog.Logger
	session string
	file    connection.File
	signer  *wire.Signer
	replays wire.ReplayGuard
	sockets sockets
	iopub   *publisher
	engine  Engine
	history historian
	limits  transport.Limits

	asks     questions
	comms    commTable
	used     usageBefore
	shells   subshells
	side     *sidePool
	states   sync.Mutex // held while states are said that depend on each other
	count    atomic.Int64
	running  runningCells
	lastCell atomic.Pointer[request]

	work     sync.WaitGroup // lanes and handlers
	readers  sync.WaitGroup // of sockets
	stopping context.Context
	stop     context.CancelFunc
}

// Run serves until a client shuts the kernel down (nil), ctx is done (nil), SIGTERM comes (nil), or
// the process that started it is gone (nil). SIGINT interrupts the cell. Errors before that:
// *connection.FileError, *RemoteError, *transport.ListenError.
func Run(ctx context.Context, o Options) error {
	file, err := connection.Read(o.ConnectionFile)
	if err != nil {
		return err
	}
	k, err := New(file, o)
	if err != nil {
		return err
	}
	if k.file != *file { // ports were free to choose: the client has to learn them
		if err := k.file.Write(o.ConnectionFile); err != nil {
			return errors.Join(err, k.close())
		}
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go k.heed(ctx, cancel, signals)
	go watchParent(ctx, cancel, k.log)
	return k.Serve(ctx)
}

// heed does what signals ask.
func (k *Kernel) heed(ctx context.Context, cancel context.CancelFunc, signals <-chan os.Signal) {
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-signals:
			if s == os.Interrupt {
				k.interruptCell()
			} else {
				cancel()
			}
		}
	}
}

// New opens the sockets and starts the worker, concurrently. Serve or Close must follow.
func New(file *connection.File, o Options) (*Kernel, error) {
	if !file.Loopback() && !file.Curve() && !o.AllowRemote {
		return nil, &RemoteError{IP: file.IP}
	}
	if o.Worker == nil {
		return nil, errors.New("kernel: Options.Worker is missing: say what executes cells")
	}
	signer, err := wire.NewSigner(file.SignatureScheme, []byte(file.Key))
	if err != nil {
		return nil, err
	}
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	log = limitLog(log)
	k := &Kernel{info: o.Info, log: log, session: uuid.NewString(), file: *file, signer: signer, limits: o.Limits}
	k.side = newSidePool(&k.work, k.dispatch)
	k.stopping, k.stop = context.WithCancel(context.Background())
	k.iopub = newPublisher(k.stopping, signer, k.session)
	if os.Getenv(serverVariable) != "" {
		k.iopub.meter = &meter{}
	}
	k.engine = supervise.New(o.Worker, (*receiver)(k), log)
	if k.history, err = openHistory(o.HistoryFile, log); err == nil {
		err = k.listen()
	}
	if err != nil {
		return nil, errors.Join(err, k.close())
	}
	return k, nil
}

// Connection is the connection file as it is served: with the ports that were chosen.
func (k *Kernel) Connection() connection.File { return k.file }

// Serve answers until a shutdown_request came or ctx is done, then closes everything.
func (k *Kernel) Serve(ctx context.Context) error {
	k.shells.open(k, mainShell)
	_ = k.iopub.publish(nil, "status", status{"starting"}, nil) // a status always encodes
	k.serveSockets()
	select {
	case <-ctx.Done():
	case <-k.stopping.Done():
	}
	return k.close()
}

// closeGrace bounds how long handlers may take to end when the kernel closes.
const closeGrace = 5 * time.Second

// close ends the worker first, so that what waits for it gets its answer, then flushes the sockets.
func (k *Kernel) close() error {
	err := k.engine.Close()
	k.stop()
	k.shells.closeAll()
	k.side.close()
	k.awaitEnd(&k.work, "handlers")
	k.iopub.flush()
	err = errors.Join(err, k.sockets.close())
	k.awaitEnd(&k.readers, "readers")
	if k.history != nil {
		err = errors.Join(err, k.history.close())
	}
	return err
}

// awaitEnd waits for goroutines, for a time.
func (k *Kernel) awaitEnd(group *sync.WaitGroup, what string) {
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(closeGrace):
		k.log.Error("did not end", "what", what, "waited", closeGrace)
	}
}
