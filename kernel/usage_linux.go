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

// hostUsage reads processor time and memory of the machine from /proc.
func hostUsage() (t hostTime, m hostMemory, ok bool) {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return t, m, false
	}
	info, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return t, m, false
	}
	return readHostTime(string(stat)), readHostMemory(string(info)), true
}

// readHostTime reads the first line: "cpu", then time of user, nice, system, idle, iowait, irq,
// softirq and steal; what follows is in user and nice already.
func readHostTime(stat string) (t hostTime) {
	line, _, _ := strings.Cut(stat, "\n")
	for i, f := range strings.Fields(line) {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil || i > 8 {
			continue
		}
		t.all += n
		if i != 4 && i != 5 {
			t.busy += n
		}
	}
	return t
}

// readHostMemory reads lines such as "MemTotal:  16314788 kB".
func readHostMemory(info string) (m hostMemory) {
	to := map[string]*int64{"MemTotal": &m.Total, "MemAvailable": &m.Available, "MemFree": &m.Free}
	for line := range strings.Lines(info) {
		name, rest, _ := strings.Cut(line, ":")
		if p, fields := to[name], strings.Fields(rest); p != nil && len(fields) > 0 {
			if n, err := strconv.ParseInt(fields[0], 10, 64); err == nil {
				*p = n << 10
			}
		}
	}
	m.Used = m.Total - m.Available
	if m.Total > 0 {
		m.Percent = 100 * float64(m.Used) / float64(m.Total)
	}
	return m
}
