package client

import (
	"context"
	"time"

	"github.com/go-zeromq/zmq4"

	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
)

// A kernel that is starting does not listen yet; dialling again costs microseconds.
const dialRetry = 5 * time.Millisecond

// sockets are a front end's ends of the kernel's.
type sockets struct {
	shell, control, stdin, iopub zmq4.Socket
}

// dial connects all of them; ctx ends the tries.
func dial(ctx context.Context, life context.Context, file *connection.File, identity string) (*sockets, error) {
	tries, stop := context.WithCancel(life)
	defer stop()
	defer context.AfterFunc(ctx, stop)()
	options := []zmq4.Option{zmq4.WithDialerRetry(dialRetry), zmq4.WithDialerMaxRetries(-1),
		zmq4.WithID(zmq4.SocketIdentity(identity))}
	s := &sockets{
		shell: zmq4.NewDealer(life, options...), control: zmq4.NewDealer(life, options...),
		stdin: zmq4.NewDealer(life, options...), iopub: zmq4.NewSub(life, options...),
	}
	if err := s.iopub.SetOption(zmq4.OptionSubscribe, ""); err != nil {
		return nil, err
	}
	for _, to := range []struct {
		socket  zmq4.Socket
		channel connection.Channel
	}{{s.iopub, connection.IOPub}, {s.shell, connection.Shell}, {s.control, connection.Control},
		{s.stdin, connection.Stdin}} {
		failed := make(chan error, 1)
		go func() { failed <- to.socket.Dial(file.Endpoint(to.channel)) }()
		select {
		case err := <-failed:
			if err != nil {
				s.close()
				return nil, err
			}
		case <-tries.Done():
			s.close()
			return nil, context.Cause(ctx)
		}
	}
	return s, nil
}

func (s *sockets) close() {
	for _, socket := range []zmq4.Socket{s.shell, s.control, s.stdin, s.iopub} {
		_ = socket.Close() // what is left unsent has nobody to read it
	}
}
