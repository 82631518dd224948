package interp

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// TestInspectEndlessMethod is that a value whose text never comes holds up neither the answer nor
// the cells behind it.
func TestInspectEndlessMethod(t *testing.T) {
	onEngines(t, func(t *testing.T, _ string, open func(testing.TB) *Session) {
		s := open(t)
		for i, source := range []string{"for {}", "time.Sleep(time.Hour)", "panic(1)", "select {}"} {
			checkStep(t, s, 2*i+1, step{source: "type L struct{}\nfunc (L) String() string { " + source +
				"; return \"\" }\nvar l L"})
			began := time.Now()
			r := s.Inspect(context.Background(), worker.InspectRequest{Source: "l", Cursor: 1})
			if took := time.Since(began); !r.Found || took > 10*time.Second {
				t.Errorf("%s: found %v after %v", source, r.Found, took)
			}
			checkStep(t, s, 2*i+2, step{source: fmt.Sprint(i, "+1"), shows: fmt.Sprint(i + 1)})
		}
	})
}
