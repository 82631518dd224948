package kerneltest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// Session is a worker.Session whose cells are lines of a word and its argument:
//
//	print TEXT    to stdout (\n is a line end)    eprint TEXT   to stderr
//	lines N       N short lines to stdout         bytes N       N bytes in lines of 1 KB
//	child TEXT    a child process prints          display TEXT  a display with id "d"
//	update TEXT   the display with id "d"         clear         clear_output
//	input PROMPT  asks; the answer is printed     password P    asks for a password
//	comm TARGET   opens comm "c"                  set N         sets the state
//	get           the result is the state         add N         adds to the state
//	fail TEXT     an error                        wait          until interrupted
//	sleep MS      sleeps, interruptible           stuck         heeds no interrupt
//	crash TEXT    a goroutine panics              exit CODE     os.Exit
//	page TEXT     a payload for the pager         displays N    N displays
//
// The last "result TEXT" is the cell's result. Comm messages are answered on the same comm.
type Session struct {
	mu    sync.Mutex
	state int
}

// Open is a serve.Opener.
func Open(context.Context) (worker.Session, error) { return &Session{}, nil }

var _ worker.Session = (*Session)(nil)

// A cell is what a word can use.
type cell struct {
	ctx   context.Context
	s     *Session
	host  worker.Host
	reply *worker.ExecuteReply
}

// Text is a bundle of plain text.
func Text(s string) display.Bundle {
	return display.Bundle{Data: map[string]any{display.TypeText: s}}
}

// write writes as user code would: to the descriptor, or through the host where none is captured.
func (c cell) write(stderr bool, text string) {
	if w, ok := c.host.(interface{ WriteStream(bool, []byte) }); ok && os.Getenv(capturedVariable) == "" {
		w.WriteStream(stderr, []byte(text))
		return
	}
	f := os.Stdout
	if stderr {
		f = os.Stderr
	}
	_, _ = f.WriteString(text)
}

// capturedVariable is set in worker processes, whose descriptors are captured.
const capturedVariable = "KERNELTEST_CAPTURED"

// CapturedEnv is the environment that a worker process of this session needs.
func CapturedEnv() []string { return []string{capturedVariable + "=1"} }

// Execute runs a cell.
func (s *Session) Execute(ctx context.Context, req worker.ExecuteRequest, host worker.Host) worker.ExecuteReply {
	reply := worker.ExecuteReply{UserExpressions: map[string]json.RawMessage{}}
	c := cell{ctx, s, host, &reply}
	for line := range strings.Lines(req.Source) {
		word, argument, _ := strings.Cut(strings.TrimRight(line, "\n"), " ")
		do, ok := words[word]
		if !ok && word != "" {
			reply.Error = &worker.CellError{Name: "UnknownWord", Value: word, Traceback: []string{"UnknownWord: " + word}}
		} else if ok {
			do(c, strings.ReplaceAll(argument, `\n`, "\n"))
		}
		if reply.Error != nil {
			return reply
		}
	}
	for name, x := range req.UserExpressions {
		reply.UserExpressions[name] = json.RawMessage(fmt.Sprintf(`{"status":"ok","data":{"text/plain":%q},"metadata":{}}`,
			x))
	}
	return reply
}

var words = map[string]func(c cell, argument string){
	"print":  func(c cell, a string) { c.write(false, a+"\n") },
	"write":  func(c cell, a string) { c.write(false, a) },
	"eprint": func(c cell, a string) { c.write(true, a+"\n") },
	"result": func(c cell, a string) { b := Text(a); c.reply.Result = &b },
	"lines": func(c cell, a string) {
		for i := range number(a) {
			c.write(false, strconv.Itoa(i)+"\n")
		}
	},
	"bytes": func(c cell, a string) {
		line := strings.Repeat("x", 1023) + "\n"
		for range number(a) / 1024 {
			if c.ctx.Err() != nil {
				c.reply.Error = interrupted
				return
			}
			c.write(false, line)
		}
	},
	"child": func(c cell, a string) {
		cmd := exec.Command("echo", a)
		cmd.Stdout = os.Stdout
		_ = cmd.Run()
	},
	"display": func(c cell, a string) {
		c.host.Display(worker.Display{Bundle: display.Bundle{Data: map[string]any{
			display.TypeText: a, display.TypePNG: []byte("png"), display.TypeJSON: map[string]any{"a": 1},
		}}, ID: "d"})
	},
	"displays": func(c cell, a string) {
		for i := range number(a) {
			c.host.Display(worker.Display{Bundle: Text(strconv.Itoa(i))})
		}
	},
	"update":   func(c cell, a string) { c.host.Display(worker.Display{Bundle: Text(a), ID: "d", Update: true}) },
	"clear":    func(c cell, a string) { c.host.ClearOutput(a == "wait") },
	"input":    func(c cell, a string) { c.ask(a, false) },
	"password": func(c cell, a string) { c.ask(a, true) },
	"comm": func(c cell, a string) {
		c.host.Comm(worker.CommEvent{Kind: "open", ID: "c", Target: a, Data: json.RawMessage(`{"a":1}`),
			Metadata: json.RawMessage(`{"version":"2.1.0"}`), Buffers: [][]byte{{1, 2}, {}}})
	},
	"closecomm": func(c cell, a string) { c.host.Comm(worker.CommEvent{Kind: "close", ID: a}) },
	"set":       func(c cell, a string) { c.s.change(func(int) int { return number(a) }) },
	"add":       func(c cell, a string) { c.s.change(func(n int) int { return n + number(a) }) },
	"get": func(c cell, _ string) {
		b := Text(strconv.Itoa(c.s.change(func(n int) int { return n })))
		c.reply.Result = &b
	},
	"fail": func(c cell, a string) {
		c.reply.Error = &worker.CellError{Name: "Failed", Value: a, Traceback: []string{"In[1]:1:1", "Failed: " + a}}
	},
	"wait": func(c cell, _ string) { <-c.ctx.Done(); c.reply.Error = interrupted },
	"sleep": func(c cell, a string) {
		select {
		case <-time.After(time.Duration(number(a)) * time.Millisecond):
		case <-c.ctx.Done():
			c.reply.Error = interrupted
		}
	},
	"stuck": func(cell, string) { select {} },
	"crash": func(_ cell, a string) { go func() { panic(a) }(); select {} },
	"exit":  func(_ cell, a string) { os.Exit(number(a)) },
	"page": func(c cell, a string) {
		c.reply.Payload = append(c.reply.Payload,
			json.RawMessage(fmt.Sprintf(`{"source":"page","data":{"text/plain":%q},"start":0}`, a)))
	},
}

var interrupted = &worker.CellError{Name: "Interrupted", Value: "the cell was interrupted",
	Traceback: []string{"Interrupted"}}

// number reads a count; a word that is none counts as 0, which a test sees.
func number(s string) int {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil {
		return 0
	}
	return n
}

func (c cell) ask(prompt string, password bool) {
	line, err := c.host.Input(c.ctx, prompt, password)
	if err != nil {
		c.reply.Error = &worker.CellError{Name: "InputError", Value: err.Error(), Traceback: []string{err.Error()}}
		return
	}
	c.write(false, "got "+line+"\n")
}

func (s *Session) change(f func(int) int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = f(s.state)
	return s.state
}

// Complete offers the words that begin as the one at the cursor does.
func (s *Session) Complete(_ context.Context, req worker.CompleteRequest) worker.CompleteReply {
	before := req.Source[:req.Cursor]
	start := strings.LastIndexAny(before, " \n") + 1
	reply := worker.CompleteReply{Start: start, End: req.Cursor}
	for _, w := range []string{"print", "prints", "result"} {
		if strings.HasPrefix(w, before[start:]) {
			reply.Matches = append(reply.Matches, worker.Completion{Text: w, Kind: "function", Signature: "(text)"})
		}
	}
	return reply
}

// Inspect knows print.
func (s *Session) Inspect(_ context.Context, req worker.InspectRequest) worker.InspectReply {
	if !strings.HasPrefix(req.Source, "print") {
		return worker.InspectReply{}
	}
	return worker.InspectReply{Found: true, Bundle: Text("print TEXT writes to stdout")}
}

// IsComplete takes a source that ends in a colon for the beginning of one.
func (s *Session) IsComplete(_ context.Context, req worker.IsCompleteRequest) worker.IsCompleteReply {
	if strings.HasSuffix(req.Source, ":") {
		return worker.IsCompleteReply{Status: "incomplete", Indent: "\t"}
	}
	return worker.IsCompleteReply{Status: "complete"}
}

// Comm answers a message with its data, where that is what the protocol has, and buffers.
func (s *Session) Comm(_ context.Context, e worker.CommEvent, host worker.Host) {
	if e.Kind != "msg" || len(e.Data) > 0 && e.Data[0] != '{' && string(e.Data) != "null" {
		return
	}
	host.Comm(worker.CommEvent{Kind: "msg", ID: e.ID, Data: e.Data, Buffers: e.Buffers})
}

// Close does nothing.
func (s *Session) Close() error { return nil }
