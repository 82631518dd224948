package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
	"github.com/vyre-kernel/vyre-kernel/kernel"
	"github.com/vyre-kernel/vyre-kernel/kernel/client"
	"github.com/vyre-kernel/vyre-kernel/kernel/kerneltest"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/serve"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

// TestMain is also the kernel and the worker that the tests start.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "worker":
			exit(serve.Process(kerneltest.Open))
		case "kernel":
			exit(kernel.Run(context.Background(), kernel.Options{
				ConnectionFile: os.Args[2],
				Worker:         supervise.Command{Path: os.Args[0], Args: []string{"worker"}, Env: kerneltest.CapturedEnv()},
			}))
		case "fail":
			fmt.Fprintln(os.Stderr, "no such device")
			os.Exit(4)
		}
	}
	os.Exit(leaktest.Run(m, "vyre-kernel/kernel"))
}

func exit(err error) {
	if err != nil && !errors.Is(err, serve.ErrKernelGone) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func start(t *testing.T) *client.Kernel {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	k, err := client.Start(ctx, client.Options{Command: []string{self, "kernel", "{connection_file}"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

// cell runs a cell and gives what it published, as types and texts.
func cell(t *testing.T, k *client.Kernel, code string) (client.Reply, string) {
	t.Helper()
	var seen []string
	r, err := k.Execute(t.Context(), client.Request{
		Code: code,
		Output: func(m *wire.Message) {
			var c struct {
				Text string
				Data map[string]json.RawMessage
			}
			if m.Header.MsgType != "execute_input" && m.Decode(&c) == nil {
				seen = append(seen, m.Header.MsgType+":"+c.Text+string(c.Data["text/plain"]))
			}
		},
		Input: func(prompt string, _ bool) (string, error) { return "answer to " + prompt, nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, strings.Join(seen, "|")
}

func TestCells(t *testing.T) {
	k := start(t)
	for _, x := range []struct{ code, status, output string }{
		{"print a\ndisplay b\nresult c", "ok", "stream:a\n|display_data:\"b\"|execute_result:\"c\""},
		{"fail x", "error", "error:"},
		{"input who?", "ok", "stream:got answer to who?\n"},
		{"crash x", "error", "error:"},
		{"print after", "ok", "stream:after\n"},
	} {
		r, output := cell(t, k, x.code)
		if r.Status != x.status || !strings.HasPrefix(output, x.output) {
			t.Errorf("%q: %+v %q", x.code, r, output)
		}
	}
}

func TestInterrupt(t *testing.T) {
	k := start(t)
	cell(t, k, "set 2")
	done := make(chan client.Reply)
	go func() {
		r, err := k.Execute(t.Context(), client.Request{Code: "wait"})
		if err != nil {
			t.Error(err)
		}
		done <- r
	}()
	time.Sleep(50 * time.Millisecond)
	if err := k.Interrupt(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := <-done; r.ErrorName != "Interrupted" {
		t.Errorf("%+v", r)
	}
	if _, output := cell(t, k, "get"); output != `execute_result:"2"` {
		t.Error(output)
	}
}

func TestStartFails(t *testing.T) {
	for _, command := range [][]string{{"/nonexistent/kernel"}, {os.Args[0], "fail"}} {
		var failed *client.StartError
		if _, err := client.Start(t.Context(), client.Options{Command: command}); !errors.As(err, &failed) {
			t.Errorf("%v: %v", command, err)
		} else if command[0] == os.Args[0] && !strings.Contains(err.Error(), "no such device") {
			t.Errorf("does not say why: %v", err)
		}
	}
}
