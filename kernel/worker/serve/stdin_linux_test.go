package serve

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

// TestStdinWanted: a child process that reads the pipe is seen, and one that does not is not.
func TestStdinWanted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	pipe, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", r.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]bool{"read x": true, "sleep 1": false} {
		cmd := exec.Command("sh", "-c", program)
		cmd.Stdin = r
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		got := false
		for end := time.Now().Add(500 * time.Millisecond); !got && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			got = readBySomebody(pipe)
		}
		if got != want {
			t.Errorf("%s: %v", program, got)
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Error(err)
		}
		_ = cmd.Wait() // it was killed
	}
}
