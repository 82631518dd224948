package standin

import (
	"flag"
	"io"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A MatchString reports whether a name matches a pattern.
type MatchString = func(pat, str string) (bool, error)

// Deps is what testing.MainStart asks of its caller.
type Deps interface {
	ImportPath() string
	MatchString(pat, str string) (bool, error)
	SetPanicOnExit0(bool)
	StartCPUProfile(io.Writer) error
	StopCPUProfile()
	StartTestLog(io.Writer)
	StopTestLog() error
	WriteProfileTo(string, io.Writer, int) error
	CoordinateFuzzing(time.Duration, int64, time.Duration, int64, int, []corpusEntry, []reflect.Type,
		string, string) error
	RunFuzzWorker(func(corpusEntry) error) error
	ReadCorpus(string, []reflect.Type) ([]corpusEntry, error)
	CheckCorpus([]any, []reflect.Type) error
	ResetCoverage()
	SnapshotCoverage()
	InitRuntimeCoverage() (mode string, tearDown tearDown, snapshot func() float64)
	ModulePath() string
}

type tearDown = func(profile, folder string) (string, error)

type corpusEntry = struct {
	Parent     string
	Path       string
	Data       []byte
	Values     []any
	Generation int
	IsSeed     bool
}

// InitTesting is testing.Init: the flags of package testing are those of the program's, also after
// it has another flag.CommandLine.
func InitTesting() {
	testing.Init()
	own.Do(func() {
		own.flags = map[string]*flag.Flag{}
		for _, set := range []*flag.FlagSet{kernels, flag.CommandLine} {
			set.VisitAll(func(f *flag.Flag) {
				if strings.HasPrefix(f.Name, "test.") {
					own.flags[f.Name] = f
				}
			})
		}
		if log := own.flags["test.testlogfile"]; log != nil {
			_ = log.Value.Set("") // that of a go test which runs this process is not the cells' to close
		}
	})
	for name, f := range own.flags {
		if flag.Lookup(name) == nil {
			flag.Var(f.Value, f.Name, f.Usage)
			flag.Lookup(name).DefValue = f.DefValue // not what it is now
		}
	}
}

// own are the flags of package testing, which registers them once.
var own struct {
	sync.Once
	flags map[string]*flag.Flag
}

// Match is the MatchString of go test.
func Match(pat, str string) (bool, error) { return regexp.MatchString(pat, str) }

// TestDeps is what testing.Main gives: nothing but which names match. Fuzzing and profiles it does
// not have.
type TestDeps struct{ Match MatchString }

func (TestDeps) ImportPath() string                          { return "" }
func (TestDeps) ModulePath() string                          { return "" }
func (d TestDeps) MatchString(pat, str string) (bool, error) { return d.Match(pat, str) }
func (TestDeps) SetPanicOnExit0(bool)                        {}
func (TestDeps) StartCPUProfile(io.Writer) error             { return errMain }
func (TestDeps) StopCPUProfile()                             {}
func (TestDeps) StartTestLog(io.Writer)                      {}
func (TestDeps) StopTestLog() error                          { return errMain }
func (TestDeps) WriteProfileTo(string, io.Writer, int) error { return errMain }
func (TestDeps) CheckCorpus([]any, []reflect.Type) error     { return nil }
func (TestDeps) ResetCoverage()                              {}
func (TestDeps) SnapshotCoverage()                           {}

func (TestDeps) RunFuzzWorker(func(corpusEntry) error) error { return errMain }

// ReadCorpus finds nothing: cells have no folder testdata. What they add themselves is run.
func (TestDeps) ReadCorpus(string, []reflect.Type) ([]corpusEntry, error) { return nil, nil }

func (TestDeps) CoordinateFuzzing(time.Duration, int64, time.Duration, int64, int, []corpusEntry, []reflect.Type,
	string, string) error {
	return errMain
}

func (TestDeps) InitRuntimeCoverage() (mode string, end tearDown, snapshot func() float64) {
	return "", nil, nil
}

var _ Deps = TestDeps{}

type mainError struct{}

func (mainError) Error() string {
	return "testing: testing.Main runs tests, benchmarks and examples alone"
}

var errMain error = mainError{}

// LeaveTest tells who waits for a test, a *testing.T, that it will not say that it is over: who
// waits gives up too.
func LeaveTest(t unsafe.Pointer) {
	select {
	case gorelease.TestSignal(t) <- false: // nil where it is not known
	default: // nobody waits
	}
}

// GaveUp reports whether a panic is that of package testing for a test whose goroutine was ended.
func GaveUp(r any) bool {
	err, ok := r.(error)
	return ok && err.Error() == "test executed panic(nil) or runtime.Goexit"
}
