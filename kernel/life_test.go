package kernel_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel"
	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/kerneltest"
	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

func TestWorkerDeathIsAnErrorInTheCell(t *testing.T) {
	_, c := start(t, workerCommand())
	c.Execute("set 5\ncomm widgets")
	a := c.Execute("crash boom")
	got := a.Content()
	if got["ename"] != "WorkerDied" || !strings.Contains(fmt.Sprint(got["traceback"]), "panic: boom") ||
		!strings.Contains(fmt.Sprint(got["evalue"]), "state of the session is lost") {
		t.Errorf("%v", got)
	}
	if got := c.Execute("get").Find("execute_result")["data"].(map[string]any)["text/plain"]; got != "0" {
		t.Errorf("%v", got)
	}
	if got := c.Ask(connection.Shell, "comm_info_request", struct{}{}).Content()["comms"]; fmt.Sprint(got) != "map[]" {
		t.Errorf("comms of the dead worker: %v", got)
	}
}

// TestSecondInterruptEndsTheWorker is for a cell in code that nothing stops.
func TestSecondInterruptEndsTheWorker(t *testing.T) {
	k, c := start(t, workerCommand())
	c.Execute("set 5")
	beside := kerneltest.Connect(t, k.Connection())
	id := c.Send(connection.Shell, "execute_request", kerneltest.Cell("print before\nstuck"))
	behind := c.Send(connection.Shell, "execute_request", kerneltest.Cell("get"))
	for beside.Next(connection.IOPub).Header.MsgType != "stream" { // an interrupt that comes before the cell is none of it
	}
	for range 2 {
		c.Send(connection.Control, "interrupt_request", struct{}{})
		time.Sleep(600 * time.Millisecond) // sooner it is the same wish
	}
	a := c.Collect(connection.Shell, id, true)
	if got := a.Content(); got["ename"] != "WorkerDied" ||
		!strings.Contains(fmt.Sprint(got["evalue"]), "second interrupt") ||
		!strings.Contains(fmt.Sprint(got["evalue"]), "state of the session is lost") {
		t.Errorf("%v", got)
	}
	if got := a.Text("stdout"); got != "before\n" {
		t.Errorf("printed %q", got)
	}
	if got := c.Collect(connection.Shell, behind, true).Content()["status"]; got != "aborted" {
		t.Errorf("the cell behind it: %v", got)
	}
	if got := c.Execute("get").Find("execute_result")["data"].(map[string]any)["text/plain"]; got != "0" {
		t.Errorf("the fresh worker has %v", got)
	}
}

func TestShutdown(t *testing.T) {
	file := &connection.File{Transport: "tcp", IP: "127.0.0.1", Key: "k", SignatureScheme: wire.SchemeHMACSHA256}
	k, err := kernel.New(file, kernel.Options{Worker: workerCommand(), Info: info()})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- k.Serve(context.Background()) }()
	c := kerneltest.Connect(t, k.Connection())
	cell := c.Send(connection.Shell, "execute_request", kerneltest.Cell("wait"))
	a := c.Ask(connection.Control, "shutdown_request", map[string]bool{"restart": true})
	if a.Content()["restart"] != true || a.Types() != "shutdown_reply" {
		t.Errorf("%v %s", a.Content(), a.Types())
	}
	if got := c.Collect(connection.Shell, cell, true).Content()["status"]; got != "error" {
		t.Errorf("the cell that ran: %v", got)
	}
	select {
	case err := <-served:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the kernel did not end")
	}
}

func TestRefusals(t *testing.T) {
	file := &connection.File{Transport: "tcp", IP: "0.0.0.0", SignatureScheme: wire.SchemeHMACSHA256}
	var remote *kernel.RemoteError
	if _, err := kernel.New(file, kernel.Options{Worker: inProcess()}); !errors.As(err, &remote) {
		t.Errorf("%v", err)
	}
	var bad *connection.FileError
	if err := kernel.Run(t.Context(), kernel.Options{ConnectionFile: "missing.json"}); !errors.As(err, &bad) {
		t.Errorf("%v", err)
	}
	k, _ := start(t, inProcess())
	taken := k.Connection()
	if _, err := kernel.New(&taken, kernel.Options{Worker: inProcess()}); err == nil ||
		!strings.Contains(err.Error(), "shell_port") {
		t.Errorf("%v", err)
	}
}

// process starts a kernel as a client does: a process with a connection file.
func process(t *testing.T, file connection.File, env ...string) (*exec.Cmd, *kerneltest.Client) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "connection.json")
	if err := file.Write(path); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "kernel", path)
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // has usually ended
	return cmd, kerneltest.Connect(t, file)
}

// ipc is a connection file with sockets in a folder of the test.
func ipc(t *testing.T) connection.File {
	return connection.File{
		Transport: "ipc", IP: filepath.Join(t.TempDir(), "k"), Key: "secret", SignatureScheme: wire.SchemeHMACSHA256,
		ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5,
	}
}

// workerOf asks a kernel for its worker's process.
func workerOf(t *testing.T, c *kerneltest.Client) int {
	t.Helper()
	c.Execute("")
	pid, ok := c.Ask(connection.Control, "usage_request", struct{}{}).Content()["worker_pid"].(float64)
	if !ok || pid == 0 {
		t.Fatal("no worker")
	}
	return int(pid)
}

// ends waits for a kernel process and its worker to end.
func ends(t *testing.T, cmd *exec.Cmd, worker int) {
	t.Helper()
	waited := make(chan error, 1)
	go func() { waited <- cmd.Wait() }()
	select {
	case err := <-waited:
		if err != nil && cmd.ProcessState.ExitCode() > 0 {
			t.Errorf("the kernel ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the kernel did not end")
	}
	for end := time.Now().Add(5 * time.Second); syscall.Kill(worker, 0) == nil; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the worker outlived its kernel")
		}
	}
}

func TestEndsOfAProcess(t *testing.T) {
	for name, end := range map[string]func(cmd *exec.Cmd, c *kerneltest.Client){
		"SIGTERM": func(cmd *exec.Cmd, _ *kerneltest.Client) { _ = cmd.Process.Signal(syscall.SIGTERM) },
		"SIGKILL": func(cmd *exec.Cmd, _ *kerneltest.Client) { _ = cmd.Process.Kill() },
		"shutdown": func(_ *exec.Cmd, c *kerneltest.Client) {
			c.Ask(connection.Control, "shutdown_request", map[string]bool{"restart": false})
		},
	} {
		t.Run(name, func(t *testing.T) {
			cmd, c := process(t, ipc(t))
			worker := workerOf(t, c)
			end(cmd, c)
			ends(t, cmd, worker)
		})
	}
}

func TestEndsWithItsClient(t *testing.T) {
	client := exec.Command("sleep", "60")
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	cmd, c := process(t, ipc(t), "JPY_PARENT_PID="+strconv.Itoa(client.Process.Pid))
	worker := workerOf(t, c)
	_ = client.Process.Kill()
	_ = client.Wait()
	ends(t, cmd, worker)
}

func TestSIGINTInterrupts(t *testing.T) {
	cmd, c := process(t, ipc(t))
	c.Execute("set 3")
	id := c.Send(connection.Shell, "execute_request", kerneltest.Cell("print go\nwait"))
	for c.Next(connection.IOPub).Header.MsgType != "stream" {
	}
	_ = cmd.Process.Signal(os.Interrupt)
	for m := c.Next(connection.Shell); m.Header.MsgType != "execute_reply"; m = c.Next(connection.Shell) {
	}
	if got := c.Execute("get").Find("execute_result")["data"].(map[string]any)["text/plain"]; got != "3" {
		t.Errorf("after %s: %v", id, got)
	}
	c.Ask(connection.Control, "shutdown_request", map[string]bool{"restart": false})
	ends(t, cmd, 1<<30)
}

func TestFreePortsAreWrittenBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "connection.json")
	file := connection.File{Transport: "tcp", IP: "127.0.0.1", Key: "k", SignatureScheme: wire.SchemeHMACSHA256}
	if err := file.Write(path); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() {
		ran <- kernel.Run(ctx, kernel.Options{ConnectionFile: path, Worker: inProcess(), Info: info()})
	}()
	for file.ShellPort == 0 {
		time.Sleep(time.Millisecond)
		read, err := connection.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		file = *read
	}
	kerneltest.Connect(t, file).Ask(connection.Shell, "kernel_info_request", struct{}{})
	cancel()
	if err := <-ran; err != nil {
		t.Error(err)
	}
}
