package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"syscall"
	"time"
)

// enough is how long one sample's calls take together, at least.
const enough = 40 * time.Millisecond

// answer reads names of programs and writes a sample for each: nanoseconds of CPU time a call,
// calls, result. A line that is no program's goes to other, where that is not nil.
func answer(in io.Reader, out io.Writer, find func(string) (func() int, error), other func(string) (string, bool)) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if other != nil {
			if said, ok := other(lines.Text()); ok {
				fmt.Fprintln(out, said)
				continue
			}
		}
		f, err := find(lines.Text())
		if err != nil {
			fmt.Fprintf(out, "0 0\terror: %s\n", oneLine(err))
			continue
		}
		fmt.Fprintln(out, timed(f))
	}
}

func oneLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// timed calls f often enough to time it.
func timed(f func() int) (line string) {
	defer func() {
		if r := recover(); r != nil {
			line = fmt.Sprintf("0 0\terror: %.60v", r)
		}
	}()
	calls, begin := 0, cpu()
	for {
		result := f()
		calls++
		if spent := cpu() - begin; spent >= enough {
			return fmt.Sprintf("%d %d\t%d", int64(spent)/int64(calls), calls, result)
		}
	}
}

// cpu is the time that the process has used, user and system, of all threads.
func cpu() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
