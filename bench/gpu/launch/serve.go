package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A call is what is measured, and how the device is waited for after it.
type call struct {
	name  string
	enter func() error
	wait  func() error
}

// turn makes n calls to be warm, waits, and times n more: nanoseconds a call.
func (c *call) turn(n int) (float64, error) {
	for range n {
		if err := c.enter(); err != nil {
			return 0, err
		}
	}
	if err := c.wait(); err != nil {
		return 0, err
	}
	start := time.Now()
	for range n {
		if err := c.enter(); err != nil {
			return 0, err
		}
	}
	ns := float64(time.Since(start).Nanoseconds()) / float64(n)
	return ns, c.wait()
}

// serve answers bench/gpu/turns until its input ends.
func serve(calls []call) error {
	core, err := strconv.Atoi(os.Getenv("CORE"))
	if err != nil {
		return fmt.Errorf("CORE: %w", err)
	}
	runtime.LockOSThread()
	if err := pin(core); err != nil {
		return fmt.Errorf("core %d: %w", core, err)
	}
	out, err := os.OpenFile(filepath.Join(os.Getenv("TURNS"), "out"), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	in, err := os.Open(filepath.Join(os.Getenv("TURNS"), "in"))
	if err != nil {
		return err
	}
	byName := map[string]*call{}
	for i := range calls {
		byName[calls[i].name] = &calls[i]
		if i > 0 {
			fmt.Fprint(out, "\t")
		}
		fmt.Fprint(out, calls[i].name)
	}
	fmt.Fprintln(out)
	for asked := bufio.NewScanner(in); asked.Scan() && asked.Text() != ""; {
		if err := answer(out, byName, asked.Text()); err != nil {
			return err
		}
	}
	return nil
}

func answer(out *os.File, calls map[string]*call, line string) error {
	count, name, _ := strings.Cut(line, " ")
	n, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	c := calls[name]
	if c == nil {
		return fmt.Errorf("no call %q", name)
	}
	ns, err := c.turn(n)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = fmt.Fprintf(out, "%.2f\n", ns)
	return err
}
