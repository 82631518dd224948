package gorelease

import (
	_ "database/sql" // which convertAssign is linked from
	"errors"
	"io"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// LogBridges, TestSignals, Onces and Conversions are facts of packages of the library.
var (
	LogBridges = &Fact{
		Name:    "log/slog.handlerWriter",
		Why:     "lines of a log.Logger that go to a slog handler have the cell's place",
		Without: "places of cells in lines that package log hands to a slog handler",
		check:   checkLogBridges,
	}
	TestSignals = &Fact{
		Name:    "testing.T.signal",
		Why:     "a test whose goroutine an interrupt ends does not leave others waiting for it",
		Without: "what waits for a test that an interrupt ends goes on",
		check: func() error {
			if signal, ok := signalField(); !ok || signal.Type != reflect.TypeFor[chan bool]() {
				return errors.New("there is no such channel")
			}
			return nil
		},
	}
	Onces = &Fact{
		Name:    "sync.Once",
		Why:     "a cell that waits for another one's sync.Once is interrupted",
		Without: "interrupts of cells that wait in sync.Once.Do",
		check:   func() error { return sameFields(reflect.TypeFor[sync.Once](), reflect.TypeFor[once]()) },
	}
	Conversions = &Fact{
		Name:    "database/sql.convertAssign",
		Why:     "sql.Null[T].Scan in cells converts as the compiled one does",
		Without: "sql.Null[T].Scan of types that cells instantiate it with",
		check: func() error {
			var s string
			if err := convertAssign(&s, int64(7)); err != nil || s != "7" {
				return errors.New("it does not convert")
			}
			return nil
		},
	}
)

// A LogBridge is log/slog.handlerWriter, through which a log.Logger writes to a slog handler.
type LogBridge struct {
	Handler   slog.Handler
	Level     slog.Leveler
	CapturePC bool
}

var bridgeType = sync.OnceValue(func() reflect.Type {
	return reflect.TypeOf(slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn).Writer())
})

// LogBridgeOf returns what is behind the writer of a log.Logger; false for other writers.
func LogBridgeOf(w io.Writer) (*LogBridge, bool) {
	if reflect.TypeOf(w) != bridgeType() || !LogBridges.Holds() {
		return nil, false
	}
	return (*LogBridge)(reflect.ValueOf(w).UnsafePointer()), true
}

func checkLogBridges() error {
	t := bridgeType()
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return errors.New("it is no pointer to a struct")
	}
	if err := sameFields(t.Elem(), reflect.TypeFor[LogBridge]()); err != nil {
		return err
	}
	w := slog.NewLogLogger(slog.DiscardHandler, slog.LevelWarn).Writer()
	b := (*LogBridge)(reflect.ValueOf(w).UnsafePointer())
	if b.Handler != slog.DiscardHandler || b.Level != slog.LevelWarn {
		return errors.New("it does not have its handler and level there")
	}
	return nil
}

func signalField() (reflect.StructField, bool) {
	return reflect.TypeFor[testing.T]().FieldByName("signal")
}

var signalAt = sync.OnceValue(func() uintptr {
	f, _ := signalField()
	return f.Offset
})

// TestSignal is the channel on which a test, a *testing.T, says that it is over; nil where it is not
// known.
func TestSignal(t unsafe.Pointer) chan bool {
	if !TestSignals.Holds() {
		return nil
	}
	return *(*chan bool)(unsafe.Add(t, signalAt()))
}

// once is sync.Once.
type once struct {
	_    noCopy
	done atomic.Bool
	m    sync.Mutex
}

type noCopy struct{}

// OnceState is what a sync.Once knows: whether it is done, and the lock that its function runs under;
// nil where that is not known.
func OnceState(o *sync.Once) (done *atomic.Bool, lock *sync.Mutex) {
	if !Onces.Holds() {
		return nil, nil
	}
	x := (*once)(unsafe.Pointer(o))
	return &x.done, &x.m
}

//go:linkname convertAssign database/sql.convertAssign
func convertAssign(dest, src any) error

// ConvertAssign is database/sql.convertAssign, which that package marks for others to link.
func ConvertAssign(dest, src any) error {
	if err := Conversions.Err(); err != nil {
		return err
	}
	return convertAssign(dest, src)
}
