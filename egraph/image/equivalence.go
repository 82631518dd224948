package image

import "slices"

// A Pair is two different classes that hold equal rows, Left < Right.
type Pair struct{ Left, Right uint32 }

// Equivalences gives the pairs of classes that hold equal rows, sorted and without duplicates, and how
// many pairs of rows that was before duplicates went. It looks at each row once through a hash of
// signatures; what it gives is quadratic in the rows that are equal, so limit bounds the pairs.
func (m *Image) Equivalences(limit int) (pairs []Pair, emitted uint64, err error) {
	class, signatures, ops := m.Column(RowClasses), m.Column(Signatures), m.Column(RowOps)
	buckets := map[uint32][][]int{} // by signature: sets of equal rows
	for row := range class {
		at := slices.IndexFunc(buckets[signatures[row]], func(equal []int) bool {
			return ops[equal[0]] == ops[row] && slices.Equal(m.RowChildren(equal[0]), m.RowChildren(row))
		})
		if at < 0 {
			buckets[signatures[row]] = append(buckets[signatures[row]], []int{row})
			continue
		}
		for _, other := range buckets[signatures[row]][at] {
			if class[other] != class[row] {
				emitted++
				pairs = append(pairs, Pair{min(class[other], class[row]), max(class[other], class[row])})
			}
		}
		if len(pairs) > limit {
			return nil, 0, &SizeError{"pairs", uint64(len(pairs)), uint64(limit)}
		}
		buckets[signatures[row]][at] = append(buckets[signatures[row]][at], row)
	}
	return sortPairs(pairs), emitted, nil
}

func sortPairs(pairs []Pair) []Pair {
	slices.SortFunc(pairs, func(a, b Pair) int {
		switch {
		case a.Left != b.Left && a.Left < b.Left, a.Left == b.Left && a.Right < b.Right:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	return slices.Compact(pairs)
}
