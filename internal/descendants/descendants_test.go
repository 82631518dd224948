//go:build unix

package descendants

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestChildren: a process's own, not those of its children, and none when it has ended.
func TestChildren(t *testing.T) {
	c := exec.Command("sh", "-c", "sleep 100 & echo $!; read end; kill $!; wait")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	sleep, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	own, its := Children(os.Getpid()), Children(c.Process.Pid)
	if !slices.Contains(own, c.Process.Pid) || slices.Contains(own, sleep) || !slices.Equal(its, []int{sleep}) {
		t.Errorf("this process has %v, the shell %d has %v, want %d", own, c.Process.Pid, its, sleep)
	}
	_ = in.Close()
	_ = c.Wait()
	if left := Children(c.Process.Pid); len(left) > 0 {
		t.Errorf("a process that has ended has %v", left)
	}
}
