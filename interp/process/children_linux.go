package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// children are the processes that one has started and that are there yet.
func children(pid int) (pids []int) {
	folder := fmt.Sprintf("/proc/%d/task", pid)
	threads, err := os.ReadDir(folder)
	if err != nil {
		return nil // it has ended
	}
	for _, t := range threads {
		b, err := os.ReadFile(folder + "/" + t.Name() + "/children")
		if err != nil {
			continue
		}
		for _, s := range strings.Fields(string(b)) {
			if n, err := strconv.Atoi(s); err == nil {
				pids = append(pids, n)
			}
		}
	}
	return pids
}
