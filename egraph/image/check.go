package image

import "fmt"

// An IntegrityError is an image whose columns contradict each other.
type IntegrityError struct {
	Context string
	Row     int // -1 where no row is meant
	Value   uint64
	Reason  string
}

func (e *IntegrityError) Error() string {
	if e.Row < 0 {
		return fmt.Sprintf("egraph/image: %s: %d: %s", e.Context, e.Value, e.Reason)
	}
	return fmt.Sprintf("egraph/image: %s of row %d: %d: %s", e.Context, e.Row, e.Value, e.Reason)
}

// Check finds the first thing that is wrong with an image, nil where nothing is.
func (m *Image) Check() error {
	if uint64(len(m.Slab))*4 != m.Layout.Bytes {
		return &IntegrityError{"words of the slab", -1, uint64(len(m.Slab)), "the layout has another number of bytes"}
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

func (m *Image) checkRow(row int) error {
	if op := m.Column(RowOps)[row]; int(op) >= len(m.Ops) {
		return &IntegrityError{"operator", row, uint64(op), "no operator has this number"}
	}
	offset, n := uint64(m.Column(ChildOffsets)[row]), uint64(m.Column(ChildLengths)[row])
	if offset+n > 1<<32-1 {
		return &IntegrityError{"children range", row, offset + n, "it passes 32 bits"}
	}
	if offset+n > m.Layout.Children {
		return &IntegrityError{"children end", row, offset + n, "it is past the last child"}
	}
	for _, c := range m.Column(Children)[offset : offset+n] {
		if len(m.Group(c)) == 0 {
			return &IntegrityError{"child", row, uint64(c), "no row is in this class"}
		}
	}
	return nil
}

func (m *Image) checkGroups() error {
	ids, offsets, rows := m.Column(GroupClasses), m.Column(GroupOffsets), m.Column(GroupRows)
	if offsets[0] != 0 || uint64(offsets[len(ids)]) != m.Layout.Rows {
		return &IntegrityError{"group offsets", -1, uint64(offsets[len(ids)]), "they do not span the rows"}
	}
	for g, id := range ids {
		if g > 0 && ids[g-1] >= id {
			return &IntegrityError{"group class", -1, uint64(id), "classes do not ascend"}
		}
		if offsets[g] >= offsets[g+1] || uint64(offsets[g+1]) > m.Layout.Rows {
			return &IntegrityError{"group offset", -1, uint64(offsets[g]), "it does not ascend"}
		}
		for _, r := range rows[offsets[g]:offsets[g+1]] {
			if uint64(r) >= m.Layout.Rows || m.Column(RowClasses)[r] != id {
				return &IntegrityError{"group row", -1, uint64(r), "it is not of the group's class"}
			}
		}
	}
	return nil
}
