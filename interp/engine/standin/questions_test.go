package standin

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"
)

// TestAsked: a question that was answered, or that failed, is the cell's; one that an interrupt
// ended ends the cell, also where that is known later.
func TestAsked(t *testing.T) {
	interrupted := fmt.Errorf("read: %w", context.Canceled)
	for _, x := range []struct {
		err         error
		over, later bool
		ends        bool
	}{
		{nil, false, false, false}, {nil, true, false, false}, {io.EOF, false, false, false}, {io.EOF, true, false, true},
		{interrupted, false, false, false}, {interrupted, true, false, true}, {interrupted, false, true, true},
	} {
		done := make(chan struct{})
		if x.over {
			close(done)
		}
		if x.later {
			time.AfterFunc(time.Millisecond, func() { close(done) })
		}
		stopped := func() bool {
			select {
			case <-done:
				return true
			default:
				return false
			}
		}
		ended := false
		n, err := Asked(3, x.err, done, stopped, func() { ended = true })
		if n != 3 || err != x.err || ended != x.ends {
			t.Errorf("%+v: %d, %v, ended %v", x, n, err, ended)
		}
	}
}
