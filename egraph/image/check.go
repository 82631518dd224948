package image

import (
	"fmt"
	"slices"
)

// An IntegrityError is an image, or what one is made of, whose parts contradict each other.
type IntegrityError struct {
	Context string
	Row     int // -1 where no row is meant
	Value   uint64
	Reason  string // what was expected, and why
}

func (e *IntegrityError) Error() string {
	if e.Row < 0 {
		return fmt.Sprintf("egraph/image: %s: %d: %s", e.Context, e.Value, e.Reason)
	}
	return fmt.Sprintf("egraph/image: %s of row %d: %d: %s", e.Context, e.Row, e.Value, e.Reason)
}

// An ArgumentError is an argument that a call cannot do anything with.
type ArgumentError struct{ Call, Argument, Got, Want string }

func (e *ArgumentError) Error() string {
	return fmt.Sprintf("egraph/image: %s: %s is %s, want %s", e.Call, e.Argument, e.Got, e.Want)
}

// refuse panics with the error of a call whose result has no room for one.
func refuse(call, argument, got, want string) {
	panic(&ArgumentError{call, argument, got, want})
}

// Check finds the first thing that is wrong with an image, nil where nothing is.
func (m *Image) Check() error {
	if m == nil {
		return &ArgumentError{"Image.Check", "the image", "nil", "one that a Builder or FromSnapshot made"}
	}
	if err := m.checkLayout(); err != nil {
		return err
	}
	if err := m.checkGroups(); err != nil {
		return err
	}
	for row := range m.Column(RowClasses) {
		if err := m.checkRow(row); err != nil {
			return err
		}
	}
	return nil
}

// checkLayout compares the layout with what its counts come to, and the slab with the layout.
func (m *Image) checkLayout() error {
	want, err := NewLayout(m.Layout.Rows, m.Layout.Children, m.Layout.Groups)
	if err != nil {
		return err
	}
	for c, span := range m.Layout.Spans {
		if w := want.Spans[c]; span != w {
			return &IntegrityError{"span of the " + Column(c).String(), -1, span.Offset,
				fmt.Sprintf("its %d bytes are to be %d at %d, as the layout counts %d rows, %d children and %d groups",
					span.Bytes, w.Bytes, w.Offset, want.Rows, want.Children, want.Groups)}
		}
	}
	if m.Layout.Bytes != want.Bytes {
		return &IntegrityError{"bytes of the layout", -1, m.Layout.Bytes, fmt.Sprintf("its columns have %d", want.Bytes)}
	}
	if uint64(len(m.Slab)) != want.Bytes/4 {
		reason := fmt.Sprintf("the layout has %d", want.Bytes/4)
		return &IntegrityError{"words of the slab", -1, uint64(len(m.Slab)), reason}
	}
	return nil
}

func (m *Image) checkRow(row int) error {
	op := m.Column(RowOps)[row]
	if int(op) >= len(m.Ops) {
		return &IntegrityError{"operator", row, uint64(op), fmt.Sprintf("operators have numbers below %d", len(m.Ops))}
	}
	offset, n := uint64(m.Column(ChildOffsets)[row]), uint64(m.Column(ChildLengths)[row])
	if offset+n > 1<<32-1 {
		return &IntegrityError{"children range", row, offset + n, "it passes 32 bits"}
	}
	if offset+n > m.Layout.Children {
		return &IntegrityError{"children end", row, offset + n, fmt.Sprintf("the last child is before %d", m.Layout.Children)}
	}
	children := m.Column(Children)[offset : offset+n]
	for _, c := range children {
		if _, ok := slices.BinarySearch(m.Column(GroupClasses), c); !ok {
			return &IntegrityError{"child", row, uint64(c), "no row is in this class"}
		}
	}
	if found, want := m.Column(Signatures)[row], Signature(op, children); found != want {
		reason := fmt.Sprintf("the row's is %d; sign an image whose rows were changed", want)
		return &IntegrityError{"signature", row, uint64(found), reason}
	}
	return nil
}

func (m *Image) checkGroups() error {
	ids, offsets, rows := m.Column(GroupClasses), m.Column(GroupOffsets), m.Column(GroupRows)
	if offsets[0] != 0 || uint64(offsets[len(ids)]) != m.Layout.Rows {
		reason := fmt.Sprintf("they are to go from 0, not %d, to the number of rows, %d", offsets[0], m.Layout.Rows)
		return &IntegrityError{"group offsets", -1, uint64(offsets[len(ids)]), reason}
	}
	for g, id := range ids {
		if g > 0 && ids[g-1] >= id {
			return &IntegrityError{"group class", -1, uint64(id), fmt.Sprintf("classes ascend, and %d is before it", ids[g-1])}
		}
		if offsets[g] >= offsets[g+1] || uint64(offsets[g+1]) > m.Layout.Rows {
			reason := fmt.Sprintf("offsets ascend to %d, and %d is behind it", m.Layout.Rows, offsets[g+1])
			return &IntegrityError{"group offset", -1, uint64(offsets[g]), reason}
		}
		for _, r := range rows[offsets[g]:offsets[g+1]] {
			if uint64(r) >= m.Layout.Rows || m.Column(RowClasses)[r] != id {
				return &IntegrityError{"group row", -1, uint64(r),
					fmt.Sprintf("it is no row of class %d, whose group it is in", id)}
			}
		}
	}
	return nil
}
