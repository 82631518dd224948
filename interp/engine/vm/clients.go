package vm

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/machine"
)

// Compiled code that waits for another machine, or for the other end of a pipe, cannot be stopped,
// but a request can be cancelled and a pipe closed: an interrupt of the cell is the end of what it
// waits for.

// request is (*http.Client).Do. The end of the run also ends the reading of what was answered.
func request(c *http.Client, r *http.Request) (*http.Response, error) {
	g := machine.Current()
	//lint:ignore SA1019 a context would have to be cancelled when the answer's body is closed
	if g == nil || c == nil || r == nil || r.Cancel != nil {
		return c.Do(r)
	}
	mine := r.WithContext(r.Context())
	//lint:ignore SA1019 as above
	mine.Cancel = g.Run.Done
	response, err := untilStopped(func() {}, func() (*http.Response, error) { return c.Do(mine) },
		func(response *http.Response, _ error) {
			if response != nil {
				_ = response.Body.Close() // nobody gets it
			}
		})
	if response != nil && response.Request == mine {
		response.Request = r
	}
	return response, err
}

func requestOf(c *http.Client, method, address, contentType string, body io.Reader) (*http.Response, error) {
	r, err := http.NewRequest(method, address, body)
	if err != nil {
		return nil, err
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", contentType)
	}
	return request(c, r)
}

const formType = "application/x-www-form-urlencoded"

// dial is net.Dial, and with a timeout net.DialTimeout.
func dial(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return untilStopped(cancel, func() (net.Conn, error) {
		return (&net.Dialer{Timeout: timeout}).DialContext(ctx, network, address)
	}, func(c net.Conn, err error) {
		if err == nil {
			_ = c.Close() // nobody gets it
		}
	})
}

var errPipeInterrupted = errors.New("io: the cell that waited for the other end of the pipe was interrupted")

func init() {
	for name, f := range map[string]any{
		"net/http.Get": func(address string) (*http.Response, error) {
			return requestOf(http.DefaultClient, "GET", address, "", nil)
		},
		"net/http.Head": func(address string) (*http.Response, error) {
			return requestOf(http.DefaultClient, "HEAD", address, "", nil)
		},
		"net/http.Post": func(address, contentType string, body io.Reader) (*http.Response, error) {
			return requestOf(http.DefaultClient, "POST", address, contentType, body)
		},
		"net/http.PostForm": func(address string, data url.Values) (*http.Response, error) {
			return requestOf(http.DefaultClient, "POST", address, formType, strings.NewReader(data.Encode()))
		},
		"net.Dial":        func(network, address string) (net.Conn, error) { return dial(network, address, 0) },
		"net.DialTimeout": dial,
	} {
		replaced[name] = reflect.ValueOf(f)
	}
	for name, f := range map[methodName]any{
		method[*http.Client]("Do"): request,
		method[*http.Client]("Get"): func(c *http.Client, address string) (*http.Response, error) {
			return requestOf(c, "GET", address, "", nil)
		},
		method[*http.Client]("Head"): func(c *http.Client, address string) (*http.Response, error) {
			return requestOf(c, "HEAD", address, "", nil)
		},
		method[*http.Client]("Post"): func(c *http.Client, address, contentType string, body io.Reader) (*http.Response,
			error) {
			return requestOf(c, "POST", address, contentType, body)
		},
		method[*http.Client]("PostForm"): func(c *http.Client, address string, data url.Values) (*http.Response, error) {
			return requestOf(c, "POST", address, formType, strings.NewReader(data.Encode()))
		},
		method[*io.PipeReader]("Read"): func(r *io.PipeReader, p []byte) (int, error) {
			return untilStopped(func() { _ = r.CloseWithError(errPipeInterrupted) }, func() (int, error) { return r.Read(p) },
				func(int, error) {})
		},
		method[*io.PipeWriter]("Write"): func(w *io.PipeWriter, p []byte) (int, error) {
			return untilStopped(func() { _ = w.CloseWithError(errPipeInterrupted) }, func() (int, error) { return w.Write(p) },
				func(int, error) {})
		},
	} {
		replacedMethods[name] = reflect.ValueOf(f)
	}
}
