package image

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

func example(t testing.TB) *Image {
	return build(t, NewBuilder(3, 2).Row(2, "lit").Row(1, "lit").Row(2, "add", 1, 2))
}

// What a builder is told wrongly, Build tells with what was found and what was to be. // D9 D20 D26
func TestBuilderRefuses(t *testing.T) {
	block := func(op string, arity int, classes, children []uint32) *Builder {
		b := NewBuilder(0, 0)
		b.Block(op, arity, classes, children)
		b.Block("g", 2, []uint32{5}, []uint32{5, 5})
		return b
	}
	balanced := NewBuilder(0, 0)
	balanced.Block("f", 2, []uint32{4}, []uint32{1, 2, 3})
	balanced.Block("g", 2, []uint32{5}, []uint32{1})
	for want, b := range map[string]*Builder{
		"children of the block of f: 3: 1 rows of 2 children each have 2": balanced,
		"children of the block of h: 1: 1 rows of 2 children each have 2": block("h", 2, []uint32{4},
			[]uint32{1}),
		"children of the block of f: 0: 1 rows of -1 children each have 0": block("f", -1, []uint32{4},
			nil),
		"NewBuilder: the room is -1 rows and 0 children, want 0 or more of both": NewBuilder(-1, 0).Row(1,
			"l"),
		"NewBuilder: the room is 0 rows and -9223372036854775808 children, want 0 or more of b": NewBuilder(0, math.MinInt),
	} {
		if m, err := b.Build(); m != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	m := example(t)
	_, err := FromSnapshot(m.Ops, 3, 2, m.Bytes()[:40])
	if want := "bytes of the snapshot: 40: the columns of 3 rows and 2 children take 68"; err == nil ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// Check finds what would otherwise end in a panic or in equal rows that are not found. // D10 D21
func TestCheckFinds(t *testing.T) {
	for what, spoil := range map[string]func(m *Image){
		"nothing there":       func(m *Image) { *m = Image{} },
		"a signature":         func(m *Image) { m.Column(Signatures)[0]++ },
		"a child, not signed": func(m *Image) { m.Column(Children)[0] = 2 },
		"a span":              func(m *Image) { m.Layout.Spans[Children].Bytes = 1 << 40 },
		"a span's offset":     func(m *Image) { m.Layout.Spans[GroupRows].Offset = math.MaxUint64 - 3 },
		"children":            func(m *Image) { m.Layout.Children = 1 << 31 },
		"rows":                func(m *Image) { m.Layout.Rows = math.MaxUint64 },
		"groups":              func(m *Image) { m.Layout.Groups = 0 },
		"bytes":               func(m *Image) { m.Layout.Bytes += 4 },
		"the slab":            func(m *Image) { m.Slab = m.Slab[1:] },
		"operators":           func(m *Image) { m.Ops = nil },
	} {
		m := example(t)
		spoil(m)
		var bad *IntegrityError
		var size *SizeError
		if err := m.Check(); !errors.As(err, &bad) && !errors.As(err, &size) {
			t.Errorf("%s: %v", what, err)
		}
		if m.Layout.Bytes == 0 {
			continue
		}
		if table := m.Table(); len(table.Rows) != int(columns) || len(table.Notes) != 1 {
			t.Errorf("%s: the card says nothing", what)
		}
	}
	m := example(t)
	m.Column(Signatures)[2] ^= 1
	if _, err := FromSnapshot(m.Ops, 3, 2, m.Bytes()[:m.Layout.SnapshotBytes()]); err == nil ||
		!strings.Contains(err.Error(), "signature of row 2") {
		t.Error(err)
	}
	if m.Sign(); m.Check() != nil {
		t.Error(m.Check())
	}
}

// A limit below 0 is said as it was given. // D22
func TestEquivalencesOfANegativeLimit(t *testing.T) {
	_, _, err := example(t).Equivalences(-1)
	if want := "egraph/image: Equivalences: limit is -1, want 0 or more pairs"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A snapshot of a few rows with high ids takes no more memory than it has words.
func TestHighIds(t *testing.T) {
	m := build(t, NewBuilder(0, 0).Row(math.MaxUint32, "l").Row(7, "f", math.MaxUint32))
	if allocated := testing.AllocsPerRun(3, func() { countDistinct(m.Column(RowClasses)) }); allocated > 10 ||
		m.Layout.Groups != 2 {
		t.Errorf("%v allocations, %d groups", allocated, m.Layout.Groups)
	}
}

// An image shows its columns. // D25
func TestCard(t *testing.T) {
	table := example(t).Table()
	if text := table.Text(); !strings.Contains(text, "group offsets") || !strings.Contains(text, "[2 1 2]") ||
		table.Caption != "image of 3 rows of 2 operators, 2 children, 2 classes: 100 bytes" {
		t.Error(text)
	}
}

// Every exported call refuses what it cannot do by an error of the package.
func TestLaws(t *testing.T) {
	lawtest.Test(t, lawtest.Package{
		Types: []any{(*Builder)(nil), (*Image)(nil)},
		Data: []any{Column(0), Span{}, (*Layout)(nil), (*SizeError)(nil), (*IntegrityError)(nil),
			(*ArgumentError)(nil), (*ReadbackError)(nil)},
		States: []lawtest.State{{Name: "built", New: func() any { return example(t) }, Works: true}},
		Functions: map[string]any{"NewBuilder": NewBuilder, "NewLayout": NewLayout, "NewScratch": NewScratch,
			"DecodePairs": DecodePairs, "FromSnapshot": FromSnapshot, "PlanUnions": PlanUnions, "Signature": Signature},
		Refusal: func(v any) bool {
			switch v.(type) {
			case *SizeError, *IntegrityError, *ArgumentError, *ReadbackError:
				return true
			}
			return false
		},
	})
}
