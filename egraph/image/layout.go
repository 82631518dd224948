package image

import (
	"fmt"
	"math"
)

// A Column names one of the columns of an image, in the order in which they lie.
type Column int

const (
	RowClasses Column = iota
	RowOps
	ChildOffsets
	ChildLengths
	Signatures
	Children
	GroupClasses
	GroupOffsets
	GroupRows
	columns
)

var columnNames = [columns]string{"row classes", "row operators", "children offsets", "children lengths", "signatures",
	"children", "group classes", "group offsets", "group rows"}

func (c Column) String() string {
	if c < 0 || c >= columns {
		return fmt.Sprintf("column %d", int(c))
	}
	return columnNames[c]
}

// A Span is a range of bytes in the slab.
type Span struct{ Offset, Bytes uint64 }

// End is the offset behind the span.
func (s Span) End() uint64 { return s.Offset + s.Bytes }

// A Layout says where the columns of an image lie.
type Layout struct {
	Rows, Children, Groups uint64
	Spans                  [columns]Span
	Bytes                  uint64
}

// A SizeError is a layout whose bytes pass what can be addressed.
type SizeError struct {
	What  string
	Count uint64
	Limit uint64
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("egraph/image: %s: %d pass %d; split the graph", e.What, e.Count, e.Limit)
}

// NewLayout lays out an image of rows, children and groups. Each count fits 32 bits, as ids and
// offsets do, or is refused.
func NewLayout(rows, children, groups uint64) (Layout, error) {
	l := Layout{Rows: rows, Children: children, Groups: groups}
	for _, c := range []struct {
		what  string
		count uint64
	}{{"rows", rows}, {"children", children}, {"groups", groups}} {
		if c.count > math.MaxUint32-1 {
			return l, &SizeError{c.what, c.count, math.MaxUint32 - 1}
		}
	}
	words := [columns]uint64{rows, rows, rows, rows, rows, children, groups, groups + 1, rows}
	for i, n := range words {
		l.Spans[i] = Span{l.Bytes, 4 * n}
		l.Bytes += 4 * n // at most 9 * 2^34, so no sum wraps
	}
	return l, nil
}

// SnapshotBytes is how many bytes the columns up to the children take: what is read back of an image
// whose groups the host makes anew.
func (l *Layout) SnapshotBytes() uint64 {
	if l == nil {
		refuse("Layout.SnapshotBytes", "the layout", "nil", "one that NewLayout made")
	}
	return l.Spans[Children].End()
}
