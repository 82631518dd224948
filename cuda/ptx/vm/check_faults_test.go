package vm

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// kindOf maps the second part of a planted fault's name to what must be found.
var kindOf = map[string][]driver.FaultKind{
	"oob": {driver.FaultOutOfBounds}, "null": {driver.FaultOutOfBounds}, "mis": {driver.FaultMisaligned},
	"uninit": {driver.FaultUninitialized}, "race": {driver.FaultRace}, "mask": {driver.FaultShuffleMask},
	"bar": {driver.FaultBarrierDivergence, driver.FaultDeadlock, driver.FaultLimit}, "dead": {driver.FaultDeadlock}, "trap": {driver.FaultTrap},
	"uaf": {driver.FaultUseAfterFree}, "readonly": {driver.FaultReadOnly}, "limit": {driver.FaultLimit},
}

// Each planted fault is found, with its class, its line and its buffer; no clean twin is reported:
// optimised, and unoptimised with debug information, on one processor and on more, in the order of
// blocks and in others. This is the proof of the checks by one command, go test ./cuda/ptx/vm -run TestPlantedFaults;
// with -short in two orders alone.
func TestPlantedFaults(t *testing.T) {
	for name, least := range map[string][2]int{"faults": {40, 19}, "faults-G": {40, 19}, "async": {20, 7},
		"async-G": {20, 7},
		"copies":  {7, 5}, "copies-G": {7, 5},
		"everyday": {40, 20}, "everyday-G": {40, 20}, "bulk": {20, 8}, "orders": {45, 50}, "orders-G": {45, 50}} {
		t.Run(name, func(t *testing.T) { testPlanted(t, name+".ptx", least[0], least[1]) })
	}
}

func testPlanted(t *testing.T, file string, leastFaults, leastTwins int) {
	src, err := os.ReadFile(filepath.Join("..", "testdata", "faults", file))
	if err != nil {
		t.Fatal(err)
	}
	m := loadText(t, "faults", string(src), Checked())
	faults, twins := 0, 0
	for _, name := range m.program.Kernels() {
		planted := strings.HasPrefix(name, "f_")
		if planted {
			faults++
		} else {
			twins++
		}
		t.Run(name, func(t *testing.T) {
			orders := []struct {
				procs   int
				shuffle uint64
			}{{1, 0}, {2, 0}, {4, 1}, {1, Reversed}, {2, Reversed}, {4, 2}, {2, 3}}
			switch {
			case strings.HasPrefix(name, "f_dead"):
				orders = orders[1:2] // each takes the time in which nothing changes
			case strings.HasSuffix(file, "-G.ptx") || testing.Short():
				orders = orders[2:4]
			}
			for _, order := range orders {
				func() {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(order.procs))
					err := runPlanted(m, name, order.shuffle)
					var f *Fault
					switch {
					case !planted && err != nil:
						t.Errorf("%+v: a clean twin is reported: %v", order, err)
					case planted && err == nil && order.shuffle == Reversed && name == "f_race_global_flag":
						// its second block reads only what the first wrote before
					case planted && !errors.As(err, &f):
						t.Errorf("%+v: %v, want a fault", order, err)
					case planted:
						checkPlanted(t, name, f)
					}
				}()
			}
		})
	}
	if faults < leastFaults || twins < leastTwins {
		t.Errorf("%d faults and %d twins", faults, twins)
	}
}

func runPlanted(m *machine, name string, shuffle uint64) error {
	v := make([]int32, 64)
	for i := range v {
		v[i] = int32(i)
	}
	l := Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 64, Y: 1, Z: 1}, SharedBytes: 256, Shuffle: shuffle}
	if strings.Contains(name, "block") || strings.Contains(name, "flag") {
		l.Grid.X = 2
	}
	if strings.Contains(name, "grid") {
		l.Grid.X, l.Cooperative = 4, true
	}
	p := upload(m, v)
	if strings.HasPrefix(name, "f_uaf") {
		if err := m.mem.Free(p); err != nil {
			return err
		}
	}
	_, err := m.tryWith(name, l, p, m.alloc(256))
	return err
}

// asynchronous races are with copies under way.
var asynchronous = map[string]bool{"async": true, "bulk": true}

func checkPlanted(t *testing.T, name string, f *Fault) {
	t.Helper()
	class := strings.Split(name, "_")[1]
	found := false
	for _, k := range kindOf[class] {
		found = found || f.Kind == k
	}
	if !found {
		t.Errorf("found %q, want one of %q: %v", f.Kind, kindOf[class], f)
	}
	if f.Line == 0 || f.Instruction == "" || len(f.Lanes) == 0 || f.Kernel != name {
		t.Errorf("the report lacks line, lanes or kernel: %+v", f)
	}
	if class == "race" && !asynchronous[strings.Split(name, "_")[2]] && (f.Other == nil || f.Other.Line == 0 ||
		f.Other.Thread == f.Lanes[0] && f.Other.Block == f.Block) {
		t.Errorf("the other side is not named: %+v, %+v", f, f.Other)
	}
	inMemory := class == "oob" || class == "mis" || class == "uninit" || class == "race" || class == "uaf"
	if inMemory && f.Space == "global" && (f.BufferSize != 256 || f.Parameter == "") {
		t.Errorf("the buffer is not named: %+v", f)
	}
}
