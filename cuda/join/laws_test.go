package join

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda"
	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

// refusal reports whether v is an error with fields, of this package or of package cuda.
func refusal(v any) bool {
	err, ok := v.(error)
	var size *SizeError
	var arity *ArityError
	var refused *cuda.Error
	return ok && (errors.As(err, &size) || errors.As(err, &arity) || errors.As(err, &refused))
}

// Every exported call refuses what it cannot do.
func TestLaws(t *testing.T) {
	dev, _ := open(t)
	lawtest.Test(t, lawtest.Package{
		Types: []any{(*Joiner)(nil)},
		Data:  []any{ScanTopology{}, (*SizeError)(nil), (*ArityError)(nil)},
		States: []lawtest.State{
			{Name: "open", Works: true, New: func() any { return MustNew(dev) }},
			{Name: "closed", New: func() any {
				j := MustNew(dev)
				if err := j.Close(); err != nil {
					t.Error(err)
				}
				return j
			}},
		},
		Functions: map[string]any{"New": New, "MustNew": MustNew, "Topology": Topology,
			"CapacityClass": CapacityClass, "InnerKey": InnerKey,
			"MustInnerKey": MustInnerKey},
		Args: []any{func() *cuda.Device { return dev }, func() []uint32 { return []uint32{1, 2, 2} }},
		Done: func(v any) {
			if j, ok := v.(*Joiner); ok && j.check("") == nil {
				if err := j.Close(); err != nil {
					t.Error(err)
				}
			}
		},
		Refusal: refusal,
		Answers: map[string]string{
			"Joiner.Stats *": "counts outlive what they count",
			"Joiner.Graph *": "nil says that there is none",
			"Joiner.Table *": "a card says that it is closed",
		},
	})
}

// Sums are of 32 bits on the device: a wrapped one was taken for the number of rows. // D7
func TestSumsSaturate(t *testing.T) {
	dev, j := open(t)
	in := []uint32{1 << 31, 1 << 31, 5, 7}
	src, out, total := dev.MustUpload(in), dev.MustMake(len(in), uint32(0)), dev.MustMake(1, uint32(0))
	g := dev.MustCapture(func(s *cuda.Stream) { j.scan(s, src, out, total, len(in), nil, 0) })
	if err := errors.Join(g.Launch(), dev.Synchronize(), g.Close()); err != nil {
		t.Fatal(err)
	}
	const most = math.MaxUint32
	if got := cuda.MustSlice[uint32](total)[0]; got != most {
		t.Errorf("total %d, want %d", got, uint32(most))
	}
	if got := cuda.MustSlice[uint32](out); !slices.Equal(got, []uint32{0, 1 << 31, most, most}) {
		t.Errorf("sums %d", got)
	}
}

// An output past 2^32 rows is told by its least size: the count of 66,000 keys that equal 65,600 wrapped to
// 34,632,704, and the join answered that many wrong rows. // D7
func TestOutputBeyondCounts(t *testing.T) {
	const want = "join: the output has at least 4294967295 rows; want at most 1073741824"
	if err := tooLong("output", math.MaxUint32); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	if err := tooLong("probe", maxKeys); err != nil {
		t.Error(err)
	}
}

// TestMust holds every call that returns an error to having a Must form of its parameters.
func TestMust(t *testing.T) { lawtest.MustForms(t) }
