package kernel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"

	"github.com/vyre-kernel/vyre-kernel/kernel"
	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/kerneltest"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/serve"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

// TestMain is also the kernel (argument kernel) and the worker (argument worker) of the tests that
// need processes, and of clients in other languages:  test-binary kernel CONNECTION_FILE.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "worker":
			exit(serve.Process(kerneltest.Open))
		case "kernel":
			exit(kernel.Run(context.Background(), kernel.Options{
				ConnectionFile: os.Args[2], Worker: workerCommand(), Info: info(),
				HistoryFile: os.Getenv("KERNELTEST_HISTORY"),
				Log:         slog.New(slog.NewTextHandler(os.Stderr, nil)),
			}))
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

func workerCommand() supervise.Command {
	path, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return supervise.Command{Path: path, Args: []string{"worker"}, Env: kerneltest.CapturedEnv()}
}

func info() kernel.Info {
	return kernel.Info{
		Implementation: "words", Version: "1", Banner: "words",
		Language: kernel.Language{Name: "words", Version: "1", MIMEType: "text/plain", FileExtension: ".txt"},
	}
}

// start serves a kernel in this process, its cells in another, and connects to it.
func start(t testing.TB, l supervise.Launcher) (*kernel.Kernel, *kerneltest.Client) {
	t.Helper()
	return startWith(t, kernel.Options{Worker: l})
}

func startWith(t testing.TB, o kernel.Options) (*kernel.Kernel, *kerneltest.Client) {
	t.Helper()
	o.Info, o.Log = info(), slog.New(slog.DiscardHandler)
	file := &connection.File{Transport: "tcp", IP: "127.0.0.1", Key: "secret", SignatureScheme: wire.SchemeHMACSHA256}
	k, err := kernel.New(file, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- k.Serve(ctx) }()
	c := kerneltest.Connect(t, k.Connection())
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return k, c
}

func inProcess() supervise.Launcher { return supervise.InProcess{Serve: serve.Pipes(kerneltest.Open)} }

func TestKernelInfo(t *testing.T) {
	_, c := start(t, inProcess())
	for _, channel := range []connection.Channel{connection.Shell, connection.Control} {
		a := c.Ask(channel, "kernel_info_request", struct{}{})
		if got := a.Content(); got["protocol_version"] != "5.5" || got["implementation"] != "words" {
			t.Errorf("%v", got)
		}
	}
}

func TestExecute(t *testing.T) {
	_, c := start(t, workerCommand())
	for _, x := range []struct {
		code, types, stdout, stderr string
	}{
		{"print hello", "execute_input stream", "hello\n", ""},
		{"eprint oops", "execute_input stream", "", "oops\n"},
		{"child from a child", "execute_input stream", "from a child\n", ""},
		{"result 2", "execute_input execute_result", "", ""},
		{"print a\ndisplay x\nprint b\nresult c", "execute_input stream display_data stream execute_result", "a\nb\n", ""},
		{"display x\nupdate y\nclear wait", "execute_input display_data update_display_data clear_output", "", ""},
		{"write é\nwrite \u2028🂡", "execute_input stream", "é\u2028🂡", ""},
		{"fail it", "execute_input error", "", ""},
		{"", "execute_input", "", ""},
	} {
		a := c.Execute(x.code)
		if a.Types() != x.types || a.Text("stdout") != x.stdout || a.Text("stderr") != x.stderr {
			t.Errorf("%q: %s %q %q", x.code, a.Types(), a.Text("stdout"), a.Text("stderr"))
		}
	}
	a := c.Execute("display shown")
	data := a.Find("display_data")["data"].(map[string]any)
	if data["text/plain"] != "shown" || data["image/png"] != "cG5n" ||
		data["application/json"].(map[string]any)["a"] != 1.0 {
		t.Errorf("%v", data)
	}
}

// TestExecutionCount: a cell that is not stored runs under the next number; its reply has the last
// that was.
func TestExecutionCount(t *testing.T) {
	_, c := start(t, inProcess())
	cell := func(silent, store bool) Answer {
		x := kerneltest.Cell("result x")
		x["silent"], x["store_history"] = silent, store
		return c.Ask(connection.Shell, "execute_request", x)
	}
	for i, x := range []struct {
		silent, store bool
		count, shown  float64
		types         string
	}{
		{true, true, 0, 0, ""}, {false, true, 1, 1, "execute_input execute_result"},
		{false, false, 1, 2, "execute_input execute_result"},
		{true, true, 1, 0, ""}, {false, true, 2, 2, "execute_input execute_result"},
	} {
		a := cell(x.silent, x.store)
		if a.Content()["execution_count"] != x.count || a.Types() != x.types {
			t.Errorf("%d: %v %s", i, a.Content(), a.Types())
		}
		for _, m := range a.Published {
			var got struct {
				Count float64 `json:"execution_count"`
			}
			if err := m.Decode(&got); err != nil || got.Count != x.shown {
				t.Errorf("%d: %s %s %v", i, m.Header.MsgType, m.Content, err)
			}
		}
	}
}

// Answer is shorter to write.
type Answer = kerneltest.Answer

func TestErrorReply(t *testing.T) {
	_, c := start(t, inProcess())
	a := c.Execute("fail broken")
	got, published := a.Content(), a.Find("error")
	for _, content := range []map[string]any{got, published} {
		if content["ename"] != "Failed" || content["evalue"] != "broken" || len(content["traceback"].([]any)) != 2 {
			t.Errorf("%v", content)
		}
	}
	if got["status"] != "error" {
		t.Errorf("%v", got)
	}
	var metadata struct{ Started, Status string }
	if err := json.Unmarshal(a.Reply.Metadata, &metadata); err != nil || metadata.Started == "" ||
		metadata.Status != "error" {
		t.Errorf("%s %v", a.Reply.Metadata, err)
	}
}

func TestUserExpressionsAndPayload(t *testing.T) {
	_, c := start(t, inProcess())
	x := kerneltest.Cell("page help")
	x["user_expressions"] = map[string]string{"a": "1+1"}
	got := c.Ask(connection.Shell, "execute_request", x).Content()
	if got["user_expressions"].(map[string]any)["a"].(map[string]any)["status"] != "ok" ||
		len(got["payload"].([]any)) != 1 {
		t.Errorf("%v", got)
	}
}

func TestStopOnError(t *testing.T) {
	_, c := start(t, inProcess())
	var ids []string
	for _, code := range []string{"sleep 30\nfail x", "add 1", "add 1"} {
		ids = append(ids, c.Send(connection.Shell, "execute_request", kerneltest.Cell(code)))
	}
	for i, want := range []string{"error", "aborted", "aborted"} {
		if got := c.Collect(connection.Shell, ids[i], true).Content()["status"]; got != want {
			t.Errorf("cell %d: %v", i, got)
		}
	}
	if got := c.Execute("get").Find("execute_result")["data"].(map[string]any)["text/plain"]; got != "0" {
		t.Errorf("aborted cells ran: %v", got)
	}
	x := kerneltest.Cell("fail x")
	x["stop_on_error"] = false
	first, second := c.Send(connection.Shell, "execute_request", x),
		c.Send(connection.Shell, "execute_request", kerneltest.Cell("add 1"))
	c.Collect(connection.Shell, first, true)
	if got := c.Collect(connection.Shell, second, true).Content()["status"]; got != "ok" {
		t.Errorf("after stop_on_error false: %v", got)
	}
}

func TestInterruptKeepsState(t *testing.T) {
	_, c := start(t, workerCommand())
	c.Execute("set 7")
	id := c.Send(connection.Shell, "execute_request", kerneltest.Cell("wait"))
	for state := ""; state != "execute_input"; {
		state = c.Next(connection.IOPub).Header.MsgType
	}
	c.Beat()
	c.Send(connection.Control, "interrupt_request", struct{}{})
	var reply *wire.Message
	for reply == nil || reply.Header.MsgType != "execute_reply" {
		reply = c.Next(connection.Shell)
	}
	var content struct{ Status, Ename string }
	if err := reply.Decode(&content); err != nil || content.Ename != "Interrupted" {
		t.Errorf("%s of %s", reply.Content, id)
	}
	if got := c.Execute("get").Find("execute_result")["data"].(map[string]any)["text/plain"]; got != "7" {
		t.Errorf("%v", got)
	}
}

func TestQuestionsWhileACellRuns(t *testing.T) {
	_, c := start(t, workerCommand())
	c.Execute("")
	c.Send(connection.Shell, "execute_request", kerneltest.Cell("wait"))
	got := c.Ask(connection.Shell, "complete_request", map[string]any{"code": "é pri", "cursor_pos": 5}).Content()
	if fmt.Sprint(got["matches"]) != "[print prints]" || got["cursor_start"] != 2.0 || got["cursor_end"] != 5.0 {
		t.Errorf("%v", got)
	}
	got = c.Ask(connection.Shell, "inspect_request", map[string]any{"code": "print", "cursor_pos": 2,
		"detail_level": 0}).Content()
	if got["found"] != true {
		t.Errorf("%v", got)
	}
	got = c.Ask(connection.Shell, "is_complete_request", map[string]any{"code": "x:"}).Content()
	if got["status"] != "incomplete" || got["indent"] != "\t" {
		t.Errorf("%v", got)
	}
	c.Ask(connection.Control, "interrupt_request", struct{}{})
}

func TestInput(t *testing.T) {
	_, c := start(t, workerCommand())
	for _, parent := range []string{"the question", "the cell", "none"} {
		id := c.Send(connection.Shell, "execute_request", kerneltest.Cell("print before\npassword who?"))
		m := c.Next(connection.Stdin)
		var q struct {
			Prompt   string
			Password bool
		}
		if err := m.Decode(&q); err != nil || q.Prompt != "who?" || !q.Password {
			t.Fatalf("%s %v", m.Content, err)
		}
		c.Send(connection.Stdin, "input_reply", map[string]string{"value": "me"}, func(r *wire.Message) {
			switch parent {
			case "the question":
				r.Parent = m.RawHeader
			case "the cell":
				r.Parent = m.Parent
			}
		})
		if got := c.Collect(connection.Shell, id, true).Text("stdout"); got != "before\ngot me\n" {
			t.Errorf("answer with %s for parent: %q", parent, got)
		}
	}
	x := kerneltest.Cell("input x")
	x["allow_stdin"] = false
	if got := c.Ask(connection.Shell, "execute_request", x).Content(); got["ename"] != "InputError" {
		t.Errorf("%v", got)
	}
	id := c.Send(connection.Shell, "execute_request", kerneltest.Cell("input x"))
	c.Next(connection.Stdin)
	c.Send(connection.Control, "interrupt_request", struct{}{})
	if got := c.Collect(connection.Shell, id, true).Content(); got["ename"] != "InputError" {
		t.Errorf("interrupt while input waits: %v", got)
	}
}

func TestComms(t *testing.T) {
	_, c := start(t, inProcess())
	a := c.Execute("comm widgets")
	opened := a.Published[1]
	if opened.Header.MsgType != "comm_open" || len(opened.Buffers) != 2 ||
		string(opened.Metadata) != `{"version":"2.1.0"}` {
		t.Errorf("%+v", opened)
	}
	comms := func(target string) any {
		return c.Ask(connection.Shell, "comm_info_request", map[string]string{"target_name": target}).Content()["comms"]
	}
	if got := fmt.Sprint(comms("")); got != "map[c:map[target_name:widgets]]" {
		t.Error(got)
	}
	if got := fmt.Sprint(comms("other")); got != "map[]" {
		t.Error(got)
	}
	a = c.Ask(connection.Shell, "comm_msg", map[string]any{"comm_id": "c", "data": map[string]int{"x": 3}},
		func(m *wire.Message) {
			m.Buffers = [][]byte{{9, 8}}
		})
	if len(a.Published) != 1 || string(a.Published[0].Content) != `{"comm_id":"c","data":{"x":3}}` ||
		a.Published[0].Buffers[0][1] != 8 {
		t.Errorf("%+v", a.Published)
	}
	c.Ask(connection.Shell, "comm_close", map[string]any{"comm_id": "c", "data": struct{}{}})
	if got := fmt.Sprint(comms("")); got != "map[]" {
		t.Error(got)
	}
}

func TestSubshells(t *testing.T) {
	_, c := start(t, inProcess())
	c.Execute("comm widgets")
	created := c.Ask(connection.Control, "create_subshell_request", struct{}{}).Content()
	id, _ := created["subshell_id"].(string)
	in := func(m *wire.Message) { m.Header.SubshellID = &id }
	c.Send(connection.Shell, "execute_request", kerneltest.Cell("wait"))
	a := c.Ask(connection.Shell, "comm_msg", map[string]any{"comm_id": "c", "data": struct{}{}}, in)
	if len(a.Published) != 1 {
		t.Errorf("a comm did not reach Go while a cell runs: %+v", a)
	}
	if h := a.Published[0].Header; h.SubshellID == nil || *h.SubshellID != id {
		t.Errorf("%+v", h)
	}
	if got := c.Ask(connection.Control, "list_subshell_request",
		struct{}{}).Content()["subshell_id"]; fmt.Sprint(got) != "["+id+"]" {
		t.Errorf("%v", got)
	}
	c.Ask(connection.Control, "interrupt_request", struct{}{})
	if got := c.Ask(connection.Shell, "execute_request", kerneltest.Cell("result sub"),
		in).Content()["status"]; got != "ok" {
		t.Errorf("%v", got)
	}
	if got := c.Ask(connection.Control, "delete_subshell_request", created).Content()["status"]; got != "ok" {
		t.Errorf("%v", got)
	}
	for _, a := range []Answer{
		c.Ask(connection.Control, "delete_subshell_request", created),
		c.Ask(connection.Shell, "execute_request", kerneltest.Cell(""), in),
	} {
		if got := a.Content()["ename"]; got != "SubshellNotFound" {
			t.Errorf("%v", a.Content())
		}
	}
}

func TestEveryRequestIsAnswered(t *testing.T) {
	_, c := start(t, inProcess())
	for _, x := range []struct {
		channel connection.Channel
		msgType string
		content string
		ename   any
	}{
		{connection.Shell, "frobnicate_request", `{}`, "UnknownRequest"},
		{connection.Control, "frobnicate_request", `{}`, "UnknownRequest"},
		{connection.Control, "execute_request", `{"code":"x"}`, "WrongChannel"},
		{connection.Shell, "usage_request", `{}`, "WrongChannel"},
		{connection.Shell, "execute_request", `{"code":7}`, "MalformedRequest"},
		{connection.Shell, "complete_request", `{"code":[]}`, "MalformedRequest"},
		{connection.Shell, "execute_request", `[]`, "MalformedRequest"},
		{connection.Shell, "frobnicate_request", `7`, "MalformedRequest"},
		{connection.Control, "shutdown_request", `"now"`, "MalformedRequest"},
		{connection.Shell, "comm_msg", `[]`, nil},
		{connection.Shell, "inspect_request", `{"cursor_pos":"x"}`, "MalformedRequest"},
		{connection.Shell, "history_request", `{"hist_access_type":"x"}`, "MalformedRequest"},
		{connection.Shell, "complete_request", `{"code":"pr","cursor_pos":-4}`, nil},
		{connection.Shell, "complete_request", `{"code":"pr","cursor_pos":400}`, nil},
		{connection.Shell, "connect_request", `{}`, nil},
		{connection.Control, "usage_request", `{}`, nil},
		{connection.Control, "debug_request", `{"seq":3,"command":"attach"}`, nil},
		{connection.Shell, "frobnicate", `{}`, nil},
		{connection.Shell, "comm_msg", `{"comm_id":[]}`, nil},
	} {
		got := c.Ask(x.channel, x.msgType, json.RawMessage(x.content)).Content()
		if got["ename"] != x.ename {
			t.Errorf("%s %s: %v", x.msgType, x.content, got)
		}
	}
}

func TestWhatIsNotSignedIsDropped(t *testing.T) {
	_, c := start(t, inProcess())
	other, err := wire.NewSigner(wire.SchemeHMACSHA256, []byte("another key"))
	if err != nil {
		t.Fatal(err)
	}
	m := &wire.Message{Header: wire.NewHeader(c.Session, "x", "execute_request"),
		Content: json.RawMessage(`{"code":"set 9"}`)}
	forged, _ := other.Frames(m)
	signed, _ := c.Signer.Frames(m)
	for _, frames := range [][][]byte{forged, signed[:3], {[]byte("<IDS|MSG>")}, {nil},
		{[]byte("garbage"), []byte("more")}} {
		for _, channel := range []connection.Channel{connection.Shell, connection.Control, connection.Stdin} {
			c.SendFrames(channel, frames)
		}
	}
	if got := c.Execute("get").Find("execute_result")["data"].(map[string]any)["text/plain"]; got != "0" {
		t.Errorf("a forged message ran: %v", got)
	}
	c.SendFrames(connection.Shell, signed)
	c.SendFrames(connection.Shell, signed) // a replay
	c.Collect(connection.Shell, m.Header.MsgID, true)
	c.Execute("set 1")
	c.SendFrames(connection.Shell, signed)
	if got := c.Execute("get").Find("execute_result")["data"].(map[string]any)["text/plain"]; got != "1" {
		t.Errorf("a replay ran: %v", got)
	}
}

func TestOutputIsWholeAndBatched(t *testing.T) {
	_, c := start(t, workerCommand())
	for range 3 {
		a := c.Execute("lines 100000")
		text := a.Text("stdout")
		if n := strings.Count(text, "\n"); n != 100000 || !strings.HasSuffix(text, "\n99999\n") {
			t.Fatalf("%d lines", n)
		}
		if n := len(a.Published); n > 200 {
			t.Errorf("%d messages", n)
		}
	}
	a := c.Execute(fmt.Sprintf("bytes %d", 20<<20))
	if n := len(a.Text("stdout")); n != 20<<20 {
		t.Errorf("%d bytes", n)
	}
	begin := time.Now()
	a = c.Execute("displays 700")
	if n := len(a.Published); n != 701 {
		t.Errorf("%d displays", n-1)
	}
	if d := time.Since(begin); d < 400*time.Millisecond {
		t.Errorf("700 messages in %v: over the rate that front ends show", d)
	}
}

func BenchmarkRoundTrip(b *testing.B) {
	_, c := start(b, workerCommand())
	c.Execute("")
	for b.Loop() {
		c.Execute("result 2")
	}
}
