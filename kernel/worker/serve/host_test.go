package serve

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/internal/leaktest"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/protocol"
)

func TestMain(m *testing.M) { os.Exit(leaktest.Run(m, "kernel/worker")) }

// TestNoQuestionAfterTheEnd is that who reads when the cell is over, or interrupted, shows nothing
// to the person.
func TestNoQuestionAfterTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var sent bytes.Buffer
	h := &host{s: newServer(nil, nil, protocol.NewChannel(&sent, nil)), allowStdin: true}
	if _, err := h.Input(ctx, "late?", false); !errors.Is(err, context.Canceled) || sent.Len() > 0 {
		t.Errorf("error %v, %d bytes sent", err, sent.Len())
	}
}
