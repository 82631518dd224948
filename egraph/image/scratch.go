package image

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A Scratch is what a device works in to find pairs: words about buckets of rows with one
// signature, the rows of the buckets, room for pairs, and their count. Each part has at least one
// element.
type Scratch struct {
	BucketWords, BucketRows, Pairs, Count Span
	Bytes                                 uint64
}

// NewScratch lays out the parts, each aligned to its element: words and rows to 4 bytes, pairs and
// the count to 8.
func NewScratch(bucketWords, bucketRows, pairs uint64) (Scratch, error) {
	var s Scratch
	for _, part := range []struct {
		span  *Span
		count uint64
		size  uint64
		name  string
	}{
		{&s.BucketWords, bucketWords, 4, "bucket words"}, {&s.BucketRows, bucketRows, 4, "bucket rows"},
		{&s.Pairs, pairs, 8, "output pairs"}, {&s.Count, 1, 8, "output count"},
	} {
		if part.count > (math.MaxInt64-s.Bytes-8)/part.size {
			return s, &SizeError{part.name, part.count, (math.MaxInt64 - s.Bytes - 8) / part.size}
		}
		s.Bytes = (s.Bytes + part.size - 1) / part.size * part.size
		*part.span = Span{s.Bytes, max(part.count, 1) * part.size}
		s.Bytes += part.span.Bytes
	}
	return s, nil
}

// A ReadbackError is bytes from a device that end too early or say what cannot be.
type ReadbackError struct {
	What   string
	Offset uint64
	Reason string
}

func (e *ReadbackError) Error() string {
	return fmt.Sprintf("egraph/image: readback of %s at byte offset %d: %s", e.What, e.Offset, e.Reason)
}

// DecodePairs reads what a device wrote: a u64 count, and u32 pairs of which the first count are
// meant. The pairs are sorted and without duplicates; emitted is the count. A count above the room
// for pairs says that the device dropped some, which is an error.
func DecodePairs(count, pairs []byte) (decoded []Pair, emitted uint64, err error) {
	if len(count) < 8 {
		return nil, 0, &ReadbackError{"the output count", uint64(len(count)), "it ends before 8 bytes"}
	}
	emitted = binary.LittleEndian.Uint64(count)
	if emitted > uint64(len(pairs))/8 {
		return nil, emitted, &ReadbackError{"the output pairs", uint64(len(pairs)), fmt.Sprintf("%d pairs were emitted",
			emitted)}
	}
	for i := range emitted {
		p := Pair{binary.LittleEndian.Uint32(pairs[8*i:]), binary.LittleEndian.Uint32(pairs[8*i+4:])}
		if p.Left >= p.Right {
			return nil, emitted, &ReadbackError{"an output pair", 8 * i, fmt.Sprintf("(%d,%d) is not ascending", p.Left,
				p.Right)}
		}
		decoded = append(decoded, p)
	}
	return sortPairs(decoded), emitted, nil
}
