package kernel_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel"
	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/kerneltest"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// everyRequest has one of each that a client can send; those that end the kernel are tested
// elsewhere.
var everyRequest = []struct {
	channel          connection.Channel
	msgType, content string
}{
	{connection.Shell, "kernel_info_request", `{}`}, {connection.Control, "kernel_info_request", `{}`},
	{connection.Shell, "execute_request", `{"code":"print a\nresult b"}`},
	{connection.Shell, "execute_request", `{"code":"fail x"}`},
	{connection.Shell, "execute_request", `{"code":"result b","silent":true}`},
	{connection.Shell, "complete_request", `{"code":"pri","cursor_pos":3}`},
	{connection.Shell, "inspect_request", `{"code":"print","cursor_pos":2}`},
	{connection.Shell, "is_complete_request", `{"code":"x"}`},
	{connection.Shell, "history_request", `{"hist_access_type":"tail","n":1}`},
	{connection.Shell, "comm_info_request", `{}`}, {connection.Shell, "comm_open",
		`{"comm_id":"q","target_name":"t","data":{}}`},
	{connection.Shell, "comm_msg", `{"comm_id":"q","data":{}}`},
	{connection.Shell, "comm_close", `{"comm_id":"q","data":{}}`},
	{connection.Shell, "connect_request", `{}`}, {connection.Control, "interrupt_request", `{}`},
	{connection.Control, "usage_request", `{}`}, {connection.Control, "debug_request", `{"seq":1,"command":"debugInfo"}`},
	{connection.Control, "create_subshell_request", `{}`}, {connection.Control, "list_subshell_request", `{}`},
	{connection.Control, "delete_subshell_request", `{"subshell_id":"none"}`},
	{connection.Shell, "unheard_of_request", `{}`},
}

// TestIdleIsLast: of each request busy is published first and idle last, and nothing of it comes
// later; all messages are of one session, the kernel's own; the reply says when the request was
// started.
func TestIdleIsLast(t *testing.T) {
	_, c := start(t, inProcess())
	over, session := map[string]bool{}, ""
	for _, q := range everyRequest {
		id := c.Send(q.channel, q.msgType, json.RawMessage(q.content))
		states := ""
		for !over[id] {
			m := c.Next(connection.IOPub)
			parent := see(t, c, m, &session)
			if parent == "" && state(m) == "starting" { // of the kernel
				continue
			}
			if over[parent] {
				t.Errorf("%s: %s of an earlier request comes after its idle", q.msgType, m.Header.MsgType)
			}
			if m.Header.MsgType == "status" {
				states += state(m) + " "
			} else if states != "busy " {
				t.Errorf("%s: %s while the states are %s", q.msgType, m.Header.MsgType, states)
			}
			over[id] = state(m) == "idle"
		}
		if states != "busy idle " {
			t.Errorf("%s: %s", q.msgType, states)
		}
		if !strings.HasSuffix(q.msgType, "_request") {
			continue
		}
		m := c.Next(q.channel)
		var metadata struct{ Started string }
		if parent := see(t, c, m, &session); parent != id || m.Header.MsgType != strings.TrimSuffix(q.msgType, "request")+
			"reply" {
			t.Errorf("%s is answered by %s to %s", q.msgType, m.Header.MsgType, parent)
		}
		if err := json.Unmarshal(m.Metadata, &metadata); err != nil || metadata.Started == "" {
			t.Errorf("%s: metadata %s %v", q.msgType, m.Metadata, err)
		}
	}
}

// see checks the session of a message, and gives the request that it answers.
func see(t *testing.T, c *kerneltest.Client, m *wire.Message, session *string) string {
	t.Helper()
	if *session == "" {
		*session = m.Header.Session
	}
	if m.Header.Session != *session || m.Header.Session == c.Session {
		t.Errorf("%s is of session %s, the kernel's is %s", m.Header.MsgType, m.Header.Session, *session)
	}
	parent, err := m.ParentHeader()
	if err != nil {
		t.Error(err)
	}
	return parent.MsgID
}

func state(m *wire.Message) string {
	var s struct {
		State string `json:"execution_state"`
	}
	if m.Header.MsgType != "status" || m.Decode(&s) != nil {
		return ""
	}
	return s.State
}

// TestAboutTheKernel: what it says it can do, what it uses, and what it has not.
func TestAboutTheKernel(t *testing.T) {
	_, c := start(t, workerCommand())
	c.Execute("")
	for _, channel := range []connection.Channel{connection.Shell, connection.Control} {
		if got := c.Ask(channel, "kernel_info_request",
			struct{}{}).Content(); fmt.Sprint(got["supported_features"]) != "[kernel subshells]" || got["debugger"] != false {
			t.Errorf("%s: %v", channel, got)
		}
	}
	got := c.Ask(connection.Control, "usage_request", struct{}{}).Content()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if got["hostname"] != host || got["pid"] != float64(os.Getpid()) || got["cpu_count"] != float64(runtime.NumCPU()) {
		t.Errorf("%v", got)
	}
	if worker := got["worker_pid"].(float64); worker == 0 || worker == got["pid"] {
		t.Errorf("%v", got)
	}
	if memory, ok := got["kernel_memory"].(float64); runtime.GOOS == "linux" && (!ok || memory < 4<<20 || memory > 4<<30) {
		t.Errorf("%v", got)
	}
	for range 200 { // until the system's clock has ticked
		if got = c.Ask(connection.Control, "usage_request", struct{}{}).Content(); runtime.GOOS != "linux" ||
			got["host_cpu_percent"] != nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	for _, name := range []string{"kernel_cpu", "host_cpu_percent"} {
		if share, ok := got[name].(float64); runtime.GOOS == "linux" &&
			(!ok || share < 0 || share > 100*float64(runtime.NumCPU())+50) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if host, ok := got["host_virtual_memory"].(map[string]any); runtime.GOOS == "linux" &&
		(!ok || host["total"].(float64) < host["used"].(float64) || host["used"] == 0.0) {
		t.Errorf("%v", got)
	}
	got = c.Ask(connection.Control, "debug_request", map[string]any{"seq": 7, "type": "request",
		"command": "attach"}).Content()
	if got["success"] != false || got["command"] != "attach" || got["request_seq"] != 7.0 ||
		!strings.Contains(got["message"].(string), "no debugger") {
		t.Errorf("%v", got)
	}
}

// TestIndentIsOfIncompleteCode: other answers do not have the field.
func TestIndentIsOfIncompleteCode(t *testing.T) {
	_, c := start(t, inProcess())
	for code, want := range map[string]string{"if:": "map[indent:\t status:incomplete]", "x": "map[status:complete]"} {
		if got := fmt.Sprint(c.Ask(connection.Shell, "is_complete_request",
			map[string]string{"code": code}).Content()); got != want {
			t.Errorf("%q: %s, want %s", code, got, want)
		}
	}
}

// TestSilentFailureStopsNothing: the cells behind one that a front end runs for itself are not a
// person's who saw it fail.
func TestSilentFailureStopsNothing(t *testing.T) {
	_, c := start(t, inProcess())
	c.Send(connection.Shell, "execute_request", kerneltest.Cell("sleep 100\nresult a"))
	silent := kerneltest.Cell("fail x")
	silent["silent"] = true
	first, next := c.Send(connection.Shell, "execute_request", silent),
		c.Send(connection.Shell, "execute_request", kerneltest.Cell("result b"))
	for _, answer := range [][2]string{{first, "error"}, {next, "ok"}} { // in the order in which they come
		id, want := answer[0], answer[1]
		for {
			m := c.Next(connection.Shell)
			var reply struct{ Status string }
			if err := m.Decode(&reply); err != nil {
				t.Fatal(err)
			}
			if parent, err := m.ParentHeader(); err != nil || parent.MsgID == id {
				if reply.Status != want {
					t.Errorf("%s, want %s", m.Content, want)
				}
				break
			}
		}
	}
}

// TestStartingIsSaidOnce: to who listens already when the kernel begins to serve.
func TestStartingIsSaidOnce(t *testing.T) {
	file := &connection.File{Transport: "tcp", IP: "127.0.0.1", Key: "secret", SignatureScheme: wire.SchemeHMACSHA256}
	k, err := kernel.New(file, kernel.Options{Worker: inProcess(), Info: info()})
	if err != nil {
		t.Fatal(err)
	}
	c := kerneltest.Connect(t, k.Connection()) // it has its welcome
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- k.Serve(ctx) }()
	c.Send(connection.Control, "kernel_info_request", struct{}{})
	states := ""
	for !strings.HasSuffix(states, "idle ") {
		states += state(c.Next(connection.IOPub)) + " "
	}
	if states != "starting busy idle " {
		t.Error(states)
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// TestDisplaysAreFoundAgain: an update names, in its transient part, the display that it replaces.
func TestDisplaysAreFoundAgain(t *testing.T) {
	_, c := start(t, inProcess())
	for msgType, code := range map[string]string{"display_data": "display x", "update_display_data": "update y"} {
		if got := fmt.Sprint(c.Execute(code).Find(msgType)["transient"]); got != "map[display_id:d]" {
			t.Errorf("%s: transient %s", msgType, got)
		}
	}
}

// flooded is what one cell prints in TestTwoHundredMegabytes.
const flooded = 200 << 20

// TestTwoHundredMegabytes: a reader that keeps up gets every byte before idle while another does
// not read at all; what waits for that one is bounded.
func TestTwoHundredMegabytes(t *testing.T) {
	// The time of Patience is as it comes: on a machine with much else to do the client here takes
	// nothing for half a second.
	k, c := startWith(t, kernel.Options{Worker: workerCommand()})
	c.Execute("")
	for _, s := range stall(t, k.Connection(), 1) {
		defer s.Close()
	}
	id := c.Send(connection.Shell, "execute_request", kerneltest.Cell(fmt.Sprintf("bytes %d", flooded)))
	got, messages, most := 0, 0, uint64(0)
	for over := false; !over; messages++ {
		m := c.Next(connection.IOPub)
		var s struct{ Text string }
		if m.Header.MsgType == "stream" && m.Decode(&s) == nil {
			got += len(s.Text)
		}
		if parent, err := m.ParentHeader(); err == nil && parent.MsgID == id {
			over = state(m) == "idle"
		}
		if messages%50 == 0 {
			var used runtime.MemStats
			runtime.ReadMemStats(&used)
			most = max(most, used.HeapAlloc)
		}
	}
	if got != flooded {
		t.Errorf("%d bytes of %d before idle", got, flooded)
	}
	if messages > 2000 {
		t.Errorf("%d messages", messages)
	}
	if most > 160<<20 { // a queue of 64 MiB for the one that does not read, the client's copies, garbage
		t.Errorf("%d MB of heap", most>>20)
	}
	t.Logf("%d messages, at most %d MB of heap", messages, most>>20)
}

// FuzzContent: every request is answered, whatever its content is.
func FuzzContent(f *testing.F) {
	types := []string{
		"complete_request", "inspect_request", "is_complete_request", "history_request", "comm_info_request",
		"connect_request",
		"usage_request", "debug_request", "delete_subshell_request", "kernel_info_request", "comm_open", "comm_msg",
		"input_reply",
	}
	for i, content := range []string{
		`{"code":"x","cursor_pos":1e300}`, `{"cursor_pos":-9223372036854775808}`, `{"code":null}`,
		`{"hist_access_type":"range","start":-5,"stop":9e18}`,
		`{"target_name":{}}`, `{}`, `[]`, `{"seq":"x"}`, `{"subshell_id":""}`, `{"a":{"a":{"a":[]}}}`,
		`{"comm_id":null,"data":7}`,
	} {
		f.Add(uint8(i), []byte(content))
	}
	_, c := start(f, inProcess())
	f.Fuzz(func(t *testing.T, which uint8, content []byte) {
		if !json.Valid(content) || !strings.HasPrefix(strings.TrimSpace(string(content)), "{") {
			return // dropped, as what is not signed is
		}
		msgType := types[int(which)%len(types)]
		for _, channel := range []connection.Channel{connection.Shell, connection.Control} {
			a := c.For(t).Ask(channel, msgType, json.RawMessage(content))
			if (a.Reply != nil) != strings.HasSuffix(msgType, "_request") {
				t.Errorf("%s %s: reply %v", msgType, content, a.Reply)
			}
		}
	})
}
