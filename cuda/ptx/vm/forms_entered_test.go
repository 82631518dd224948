package vm

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/lawtest/entered"
)

// comparing are the tests that compare what instructions do with the general form, or with what is expected of
// several forms; profiled says that the process is one of TestFormsAreEntered.
const (
	comparing = "^(TestSecondForms|TestFormsOfAccesses|TestISA|TestUnusualPrograms|TestGroup.*|TestTensor.*|TestWmma.*|" +
		"TestMma.*|TestCluster.*|TestAsync.*|TestRecursion|TestQuicksort|TestCall.*|TestKernel.*|TestWarp.*|TestPrograms|" +
		"TestSwitchStruct|TestPrintf|TestObjects|TestGridSync|TestHash.*|TestHalf.*|TestSpin.*|TestCompilers|TestUninit.*|" +
		"TestFault.*|TestConsecutive.*|TestSearch.*|TestClock.*|TestRepeat.*|TestFootprint.*|TestCounters|TestLaunch.*)$"
	profiled = "VYRE_FORMS_PROFILED"
)

// formFiles are those of what has a second form, with the instructions of a lane (isa_*.go). Every statement of them is
// entered, refusals and faults apart; of the others every function literal, which is what an instruction is
// compiled to.
var formFiles = strings.Fields(`code_invariant mem_access mem_consecutive mem_loadstore run_arena run_lanes run_map`)

// oneForm are the files of which nothing is done in two ways.
var oneForm = strings.Fields(`isa_barrier isa_builtin isa_call isa_clusterbarrier isa_control isa_printf mem_bulkcopy
	mem_mbarrier mem_multicast run_cluster run_frames run_launch run_special warp_mma warp_wgmma check_card check_clocks
	check_counters check_definedness check_definedness_moves check_footprint check_inflight check_stores
	check_synchronise check_trail`)

// notEntered are functions with statements that no comparison can enter, and why.
var notEntered = map[string]string{
	"newArena":       "where memory lies is luck",
	"retarget":       "bit fields that are written for the first time, as TestUninit has them",
	"retargetGlobal": "bit fields that are written for the first time, as TestUninit has them",
	"variableBase":   "names as generic addresses, which compilers take by cvta",
	"branch":         "counts divergences",
	"guardedEnd":     "the fault of what comes before a guarded end",
	"warpEnd":        "no destination of a warp's instruction is wider than its type",
	"staysLocal":     "stores of a loop that spins",
	"readClock":      "a clock tells a time only once",
	"isVariable":     "where constants lie is the device's own",
	"relation":       "modifiers before the comparison",
}

var refuses = regexp.MustCompile(`\b(err|refuse|wrong|raise\w*|refused|unsupported|\w*Error)\b`)

// A form that no test above enters is compared with nothing: write the program that does.
func TestFormsAreEntered(t *testing.T) {
	if os.Getenv(profiled) != "" {
		t.Skip("this process is one that the test started")
	}
	binary := entered.Build(t, ".")
	profile := filepath.Join(t.TempDir(), "profile")
	c := exec.Command(binary, "-test.run="+comparing, "-test.coverprofile="+profile)
	c.Env = append(os.Environ(), profiled+"=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var p entered.Profile
	if err := p.Add(profile); err != nil {
		t.Fatal(err)
	}
	missing, err := p.Missing()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range missing {
		file := strings.TrimSuffix(s.File, ".go")
		form := slices.Contains(formFiles, file) || strings.HasPrefix(file, "isa_") || len(s.Literals) > 0
		if form && !slices.Contains(oneForm, file) && !refuses.MatchString(s.Text) && strings.Join(strings.Fields(s.Text), " ") != "{ return }" {
			if seen[s.Func] = true; notEntered[s.Func] == "" {
				t.Errorf("no comparison enters %s", s)
			}
		}
	}
	for f := range notEntered {
		if !seen[f] {
			t.Errorf("%s is entered whole: it is not to be listed", f)
		}
	}
}
