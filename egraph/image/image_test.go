package image

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"testing"
)

func build(t testing.TB, b *Builder) *Image {
	t.Helper()
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestLayoutExample(t *testing.T) {
	m := build(t, NewBuilder(3, 2).Row(2, "lit").Row(1, "lit").Row(2, "add", 1, 2))
	var got []uint64
	for _, s := range m.Layout.Spans {
		got = append(got, s.Offset)
	}
	if want := []uint64{0, 12, 24, 36, 48, 60, 68, 76, 88}; !slices.Equal(got, want) || m.Layout.Bytes != 100 {
		t.Errorf("offsets %v, %d bytes", got, m.Layout.Bytes)
	}
	for _, c := range []struct {
		column Column
		want   []uint32
	}{
		{RowClasses, []uint32{2, 1, 2}}, {RowOps, []uint32{0, 0, 1}}, {ChildOffsets, []uint32{0, 0, 0}}, {ChildLengths,
			[]uint32{0, 0, 2}},
		{Children, []uint32{1, 2}}, {GroupClasses, []uint32{1, 2}}, {GroupOffsets, []uint32{0, 1, 3}}, {GroupRows,
			[]uint32{1, 0, 2}},
	} {
		if got := m.Column(c.column); !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, want %v", c.column, got, c.want)
		}
	}
	back, err := FromSnapshot(m.Ops, 3, 2, m.Bytes()[:m.Layout.SnapshotBytes()])
	if err != nil || !slices.Equal(back.Slab, m.Slab) {
		t.Errorf("read back %v, %v", back, err)
	}
}

func TestEquivalences(t *testing.T) {
	adds := func(a, b string) *Builder {
		return NewBuilder(0, 0).Row(10, a).Row(20, b).Row(30, "add", 10, 20).Row(40, "add", 10, 20).Row(50, "add", 20, 10)
	}
	for _, c := range []struct {
		name    string
		b       *Builder
		want    []Pair
		emitted uint64
	}{
		{"one literal", adds("lit 1", "lit 1"), []Pair{{10, 20}, {30, 40}}, 2},
		{"payload is identity", adds("lit 1", "lit 2"), []Pair{{30, 40}}, 1},
		{"four equal", NewBuilder(0, 0).Row(1, "l").Row(2, "l").Row(3, "l").Row(4, "l"), []Pair{{1, 2}, {1, 3}, {1, 4}, {2,
			3}, {2, 4}, {3, 4}}, 6},
		{"twice the same pair", NewBuilder(0, 0).Row(1, "l").Row(2, "l").Row(1, "m").Row(2, "m"), []Pair{{1, 2}}, 2},
		{"one class", NewBuilder(0, 0).Row(1, "l").Row(1, "l"), nil, 0},
	} {
		got, emitted, err := build(t, c.b).Equivalences(100)
		if err != nil || !slices.Equal(got, c.want) || emitted != c.emitted {
			t.Errorf("%s: %v of %d, %v", c.name, got, emitted, err)
		}
	}
	var size *SizeError
	if _, _, err := build(t, NewBuilder(0, 0).Row(1, "l").Row(2, "l").Row(3, "l")).Equivalences(1); !errors.As(err,
		&size) {
		t.Error(err)
	}
}

func TestScratch(t *testing.T) {
	s, err := NewScratch(5, 3, 3)
	if err != nil || s.BucketWords.Offset != 0 || s.BucketRows.Offset != 20 || s.Pairs.Offset != 32 ||
		s.Count.Offset != 56 || s.Bytes != 64 {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err = NewScratch(0, 0, 0); err != nil || s.BucketWords.Bytes != 4 || s.Pairs.Bytes != 8 || s.Bytes != 24 {
		t.Errorf("%+v, %v", s, err)
	}
	var size *SizeError
	for _, n := range []uint64{math.MaxUint64, math.MaxInt64, math.MaxInt64 / 8} {
		if _, err := NewScratch(1, n, n); !errors.As(err, &size) {
			t.Errorf("%d: %v", n, err)
		}
	}
	if _, err := NewLayout(1<<33, 0, 0); !errors.As(err, &size) {
		t.Error(err)
	}
}

func TestDecodePairs(t *testing.T) {
	count := binary.LittleEndian.AppendUint64(nil, 3)
	var pairs []byte
	for _, v := range []uint32{5, 6, 1, 2, 5, 6, 99, 1} {
		pairs = binary.LittleEndian.AppendUint32(pairs, v)
	}
	got, emitted, err := DecodePairs(count, pairs)
	if err != nil || emitted != 3 || !slices.Equal(got, []Pair{{1, 2}, {5, 6}}) {
		t.Errorf("%v of %d, %v", got, emitted, err)
	}
	var short *ReadbackError
	if _, _, err = DecodePairs(count[:5], pairs); !errors.As(err, &short) || short.Offset != 5 {
		t.Error(err)
	}
	if _, _, err = DecodePairs(count, pairs[:17]); !errors.As(err, &short) || short.Offset != 17 {
		t.Error(err)
	}
	count[0] = 4
	if _, _, err = DecodePairs(count, pairs); !errors.As(err, &short) || short.Offset != 24 {
		t.Error(err)
	}
}

func TestIntegrity(t *testing.T) {
	for _, c := range []struct {
		column  Column
		index   int
		value   uint32
		context string
		row     int
	}{
		{RowOps, 1, 7, "operator", 1},
		{ChildOffsets, 2, math.MaxUint32, "children range", 2},
		{ChildLengths, 2, 3, "children end", 2},
		{Children, 1, 77, "child", 2},
		{GroupClasses, 1, 1, "", 0},
		{GroupRows, 0, 2, "", 0},
		{GroupOffsets, 2, 2, "", 0},
		{GroupOffsets, 1, 9, "", 0},
	} {
		m := build(t, NewBuilder(3, 2).Row(2, "lit").Row(1, "lit").Row(2, "add", 1, 2))
		m.Column(c.column)[c.index] = c.value
		var bad *IntegrityError
		if err := m.Check(); !errors.As(err, &bad) || c.context != "" && (bad.Context != c.context || bad.Row != c.row) {
			t.Errorf("%v[%d] = %d: %v", c.column, c.index, c.value, err)
		}
	}
}

func TestUnionPlan(t *testing.T) {
	plan := PlanUnions([][2]uint32{{5, 3}, {3, 5}, {8, 5}, {9, 9}, {11, 10}, {12, 11}})
	if want := []Rewrite{{5, 3}, {8, 3}, {11, 10}, {12, 10}}; !slices.Equal(plan.Rewrites, want) || plan.SelfPairs != 1 ||
		plan.Duplicates != 1 {
		t.Errorf("%+v", plan)
	}
}

func FuzzSnapshot(f *testing.F) {
	m, err := NewBuilder(3, 2).Row(2, "lit").Row(1, "lit").Row(2, "add", 1, 2).Build()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.Bytes()[:m.Layout.SnapshotBytes()], uint64(3), uint64(2))
	f.Fuzz(func(t *testing.T, b []byte, rows, children uint64) {
		if m, err := FromSnapshot([]string{"a", "b"}, rows, children, b); err == nil {
			m.Sign()
			if _, _, err := m.Equivalences(1000); err != nil && len(b) < 100 {
				t.Error(err)
			}
		}
	})
}
