package vm

import (
	"net"
	"net/http"
	"reflect"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
)

// Compiled code that serves, or waits for a connection, cannot be stopped, but a server can be
// closed and a listener has a deadline: an interrupt of the cell is the end of its server, and of
// its wait.

// serve runs a server until it ends or the cell is interrupted.
func serve(s *http.Server, run func() error) error {
	_, err := untilStopped(func() { _ = s.Close() }, func() (struct{}, error) { return struct{}{}, run() },
		func(struct{}, error) {})
	return err
}

// accept waits for a connection. An interrupt leaves the listener without a deadline.
func accept[C net.Conn](l interface{ SetDeadline(time.Time) error }, wait func() (C, error)) (C, error) {
	return untilStopped(func() { _ = l.SetDeadline(time.Unix(1, 0)) }, wait, func(c C, err error) {
		_ = l.SetDeadline(time.Time{})
		if err == nil {
			_ = c.Close() // nobody gets it
		}
	})
}

// untilStopped is what wait gives. Where the run is stopped meanwhile, abort makes wait return,
// undo gets what it gave, and the goroutine ends.
func untilStopped[A any](abort func(), wait func() (A, error), undo func(A, error)) (A, error) {
	g := machine.Current()
	if g == nil {
		return wait()
	}
	over, left := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(left)
		select {
		case <-g.Run.Done:
			abort()
		case <-over:
		}
	}()
	end := sync.OnceFunc(func() { close(over); <-left })
	defer end() // wait may panic
	a, err := wait()
	if end(); g.Run.Stopped() {
		undo(a, err)
		g.Stop()
	}
	return a, err
}

func init() {
	replaced["net/http.ListenAndServe"] = reflect.ValueOf(func(address string, h http.Handler) error {
		s := &http.Server{Addr: address, Handler: h}
		return serve(s, s.ListenAndServe)
	})
	replaced["net/http.ListenAndServeTLS"] = reflect.ValueOf(func(address, cert, key string, h http.Handler) error {
		s := &http.Server{Addr: address, Handler: h}
		return serve(s, func() error { return s.ListenAndServeTLS(cert, key) })
	})
	replaced["net/http.Serve"] = reflect.ValueOf(func(l net.Listener, h http.Handler) error {
		s := &http.Server{Handler: h}
		return serve(s, func() error { return s.Serve(l) })
	})
	replaced["net/http.ServeTLS"] = reflect.ValueOf(func(l net.Listener, h http.Handler, cert, key string) error {
		s := &http.Server{Handler: h}
		return serve(s, func() error { return s.ServeTLS(l, cert, key) })
	})
	for name, f := range map[methodName]any{
		method[*http.Server]("ListenAndServe"): func(s *http.Server) error { return serve(s, s.ListenAndServe) },
		method[*http.Server]("ListenAndServeTLS"): func(s *http.Server, cert, key string) error {
			return serve(s, func() error { return s.ListenAndServeTLS(cert, key) })
		},
		method[*http.Server]("Serve"): func(s *http.Server, l net.Listener) error {
			return serve(s, func() error { return s.Serve(l) })
		},
		method[*http.Server]("ServeTLS"): func(s *http.Server, l net.Listener, cert, key string) error {
			return serve(s, func() error { return s.ServeTLS(l, cert, key) })
		},
		method[*net.TCPListener]("Accept"): func(l *net.TCPListener) (net.Conn, error) { return accept(l, l.Accept) },
		method[*net.TCPListener]("AcceptTCP"): func(l *net.TCPListener) (*net.TCPConn, error) {
			return accept(l, l.AcceptTCP)
		},
		method[*net.UnixListener]("Accept"): func(l *net.UnixListener) (net.Conn, error) { return accept(l, l.Accept) },
		method[*net.UnixListener]("AcceptUnix"): func(l *net.UnixListener) (*net.UnixConn, error) {
			return accept(l, l.AcceptUnix)
		},
	} {
		replacedMethods[name] = reflect.ValueOf(f)
	}
}
