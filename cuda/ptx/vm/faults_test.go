package vm

import (
	"errors"
	"os"
	"path/filepath"
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

// Each planted fault is found, with its class, its line and its buffer; no clean
// twin is reported: optimised, and unoptimised with debug information.
func TestPlantedFaults(t *testing.T) {
	for name, least := range map[string][2]int{"faults": {40, 20}, "faults-G": {40, 20}, "async": {20, 7}, "async-G": {20, 7}, "everyday": {40, 20}, "everyday-G": {40, 20}, "bulk": {20, 8}} {
		t.Run(name, func(t *testing.T) { testPlanted(t, name+".ptx", least[0], least[1]) })
	}
}

func testPlanted(t *testing.T, file string, leastFaults, leastTwins int) {
	src, err := os.ReadFile(filepath.Join("..", "testdata", "faults", file))
	if err != nil {
		t.Fatal(err)
	}
	probe := loadText(t, "faults", string(src), Checked())
	faults, twins := 0, 0
	for _, name := range probe.program.Kernels() {
		planted := strings.HasPrefix(name, "f_")
		if planted {
			faults++
		} else {
			twins++
		}
		t.Run(name, func(t *testing.T) {
			m := loadText(t, "faults", string(src), Checked())
			err := runPlanted(m, name)
			var f *Fault
			if !planted {
				if err != nil {
					t.Errorf("a clean twin is reported: %v", err)
				}
				return
			}
			if !errors.As(err, &f) {
				t.Fatalf("%v, want a fault", err)
			}
			checkPlanted(t, name, f)
		})
	}
	if faults < leastFaults || twins < leastTwins {
		t.Errorf("%d faults and %d twins", faults, twins)
	}
}

func runPlanted(m *machine, name string) error {
	v := make([]int32, 64)
	for i := range v {
		v[i] = int32(i)
	}
	l := Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 64, Y: 1, Z: 1}, SharedBytes: 256}
	if strings.Contains(name, "block") || strings.Contains(name, "flag") {
		l.Grid.X = 2
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
	inMemory := class == "oob" || class == "mis" || class == "uninit" || class == "race" || class == "uaf"
	if inMemory && f.Space == "global" && (f.BufferSize != 256 || f.Parameter == "") {
		t.Errorf("the buffer is not named: %+v", f)
	}
}
