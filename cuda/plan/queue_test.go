package plan

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func runProfile(t *testing.T, row string) string {
	var p QueueProfile
	var drain, sync string
	if _, err := fmt.Sscan(row, &p.Initial, &p.Capacity, &p.Entry, &p.Control, &p.Budget, &drain, &sync); err != nil {
		t.Fatalf("row %q: %v", row, err)
	}
	if sync == "host" {
		p.Sync = HostParticipates
	}
	if drain == "0" {
		q, err := WorkQueue(p)
		if err != nil {
			return "error " + err.Error()
		}
		return fmt.Sprintf("queue %d resident %d bps %d", q.Queue, q.Resident, q.OccupancyBPS)
	}
	most := uint64(0)
	if drain != "-" {
		fmt.Sscan(drain, &most)
	}
	d, err := Drain(p, most)
	if err != nil {
		return "error " + err.Error()
	}
	return fmt.Sprintf("queue %d resident %d bps %d chunks %d items %d chunked %t", d.Queue, d.Resident, d.OccupancyBPS, d.Chunks, d.ItemsPerChunk, d.Chunked())
}

func TestQueueVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/queue.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		row, want, ok := strings.Cut(strings.TrimSpace(line), " -> ")
		if !ok || row[0] == '#' {
			continue
		}
		got := runProfile(t, row)
		if cause, isError := strings.CutPrefix(want, "error "); isError && !strings.Contains(got, cause) || !isError && got != want {
			t.Errorf("%s: got %s, want %s", row, got, want)
		}
	}
}

func TestQueueErrorsAreTyped(t *testing.T) {
	var initial *InitialItemsError
	if _, err := WorkQueue(QueueProfile{Initial: 9, Capacity: 8, Entry: 16, Budget: 1024}); !errors.As(err, &initial) || *initial != (InitialItemsError{9, 8}) {
		t.Errorf("%v", err)
	}
	var over *OverBudgetError
	if _, err := WorkQueue(QueueProfile{Initial: 1, Capacity: 8, Entry: 16, Control: 64, Budget: 128}); !errors.As(err, &over) || *over != (OverBudgetError{Planner: "work queue", Required: 192, Budget: 128}) {
		t.Errorf("%v", err)
	}
	var host *HostParticipationError
	if _, err := WorkQueue(QueueProfile{Capacity: 8, Entry: 16, Budget: 1024, Sync: HostParticipates}); !errors.As(err, &host) {
		t.Errorf("%v", err)
	}
	var zero *ZeroFieldError
	if _, err := Drain(QueueProfile{Capacity: 8, Entry: 16, Budget: 1024}, 0); !errors.As(err, &zero) || zero.Field != "drain chunk" {
		t.Errorf("%v", err)
	}
}

func TestQueueProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for range 2048 {
		p := QueueProfile{Capacity: 1 + r.Uint64N(262_144), Entry: 1 + r.Uint64N(256), Control: r.Uint64N(4096)}
		p.Initial = r.Uint64N(p.Capacity + 1)
		resident := p.Capacity*p.Entry + p.Control
		p.Budget = resident + r.Uint64N(8192)
		most := 1 + r.Uint64N(2*p.Capacity)
		d, err := Drain(p, most)
		if err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		if d.Resident != resident || d.OccupancyBPS != 10_000*p.Initial/p.Capacity || !d.FinalOnly {
			t.Fatalf("%+v: %+v", p, d)
		}
		if d.Chunks*d.ItemsPerChunk < p.Capacity || (d.Chunks-1)*d.ItemsPerChunk >= p.Capacity || d.ItemsPerChunk > most {
			t.Fatalf("%+v by %d: %+v", p, most, d)
		}
		p.Budget = resident - 1
		if _, err := WorkQueue(p); err == nil {
			t.Fatalf("%+v fits a byte too little", p)
		}
	}
}

var regen = flag.Bool("regen", false, "rewrite the golden files")

func TestTables(t *testing.T) {
	chain := []Stage{{1, 7, 64, 32, 8, false}, {2, 7, 32, 48, 8, false}, {3, 7, 48, 16, 8, false}, {9, 0xbeef, 8, 8, 0, false}}
	greedy, err1 := LaunchFusion(chain, 256)
	flow, err2 := DataflowFusion(chain, Chain(chain), 256)
	drain, err3 := Drain(QueueProfile{Initial: 4096, Capacity: 65536, Entry: 16, Control: 128, Budget: 2 << 20}, 8192)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"greedy": greedy.String(), "dataflow": flow.String(), "drain": drain.String(), "greedy.html": greedy.Table().HTML()} {
		path := filepath.Join("testdata", "table-"+name)
		if *regen {
			if err := os.WriteFile(path, []byte(text+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil || text+"\n" != string(want) {
			t.Errorf("%s: %v, got\n%s\nwant\n%s", name, err, text, want)
		}
	}
}
