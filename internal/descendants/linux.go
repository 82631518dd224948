//go:build linux

package descendants

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Threads are the folders of a process's threads in /proc; none where it has ended.
func Threads(pid int) (folders []string) {
	root := fmt.Sprintf("/proc/%d/task", pid)
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		folders = append(folders, root+"/"+e.Name())
	}
	return folders
}

// Children are the processes that one has started and that are there yet.
func Children(pid int) (pids []int) {
	for _, thread := range Threads(pid) {
		b, err := os.ReadFile(thread + "/children")
		if err != nil {
			continue // it has ended
		}
		for _, s := range strings.Fields(string(b)) {
			if n, err := strconv.Atoi(s); err == nil {
				pids = append(pids, n)
			}
		}
	}
	return pids
}
