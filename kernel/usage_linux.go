package kernel

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// clockTicks is USER_HZ, which is 100 on every Linux that Go runs on.
const clockTicks = 100

// processUsage reads resident bytes and processor seconds of a process from /proc.
func processUsage(pid int) (memory int64, cpu float64, ok bool) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, false
	}
	// The name in parentheses may hold spaces; what follows does not. proc(5): utime is field 14,
	// stime 15, rss 24 in pages; the fields after the name begin with 3.
	_, rest, found := strings.Cut(string(raw), ") ")
	fields := strings.Fields(rest)
	if !found || len(fields) < 22 {
		return 0, 0, false
	}
	var n [3]int64
	for i, at := range []int{14, 15, 24} {
		if n[i], err = strconv.ParseInt(fields[at-3], 10, 64); err != nil {
			return 0, 0, false
		}
	}
	return n[2] * int64(os.Getpagesize()), float64(n[0]+n[1]) / clockTicks, true
}
