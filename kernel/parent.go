package kernel

import (
	"context"
	"log/slog"
	"os"
	"strconv"
	"syscall"
	"time"
)

// parentVariable holds the process id of the client, in kernels that a client started.
const parentVariable = "JPY_PARENT_PID"

// parentCheck is how often the parent is looked for.
const parentCheck = time.Second

// watchParent calls gone when the client's process is no more.
func watchParent(ctx context.Context, gone func(), log *slog.Logger) {
	pid, err := strconv.Atoi(os.Getenv(parentVariable))
	if err != nil || pid <= 1 {
		return
	}
	alive := func() bool { return syscall.Kill(pid, 0) != syscall.ESRCH }
	if os.Getppid() == pid { // then even a process that takes over its number is told apart
		alive = func() bool { return os.Getppid() == pid }
	}
	tick := time.NewTicker(parentCheck)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !alive() {
				log.Info("the client is gone", "pid", pid)
				gone()
				return
			}
		}
	}
}
