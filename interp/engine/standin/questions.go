package standin

import (
	"context"
	"errors"
	"time"
)

// lateInterrupt is how long after a question that an interrupt ended the run may come to know of
// it.
const lateInterrupt = 50 * time.Millisecond

// Asked passes on what a question to the person gave. Where an interrupt ended it, the cell is not
// to go on with what it did not
// get: stop ends the goroutine, whose run closes done when it is stopped. Who asked may know of the
// interrupt before the run does.
func Asked(n int, err error, done <-chan struct{}, stopped func() bool, stop func()) (int, error) {
	if err == nil {
		return n, nil
	}
	if errors.Is(err, context.Canceled) {
		select {
		case <-done:
		case <-time.After(lateInterrupt):
		}
	}
	if stopped() {
		stop()
	}
	return n, err
}
