package image

import (
	"fmt"
	"slices"
)

// A Pair is two different classes that hold equal rows, Left < Right.
type Pair struct{ Left, Right uint32 }

// Equivalences gives the pairs of classes that hold equal rows, sorted and without duplicates, and how
// many that was before duplicates went: a pair of classes counts once for each row that both hold. It
// looks at each row once through a hash of signatures; what it gives is quadratic in the classes that
// hold one row, so limit bounds the pairs, and more are a *SizeError. The image is to be one that Check finds sound: in
// another, equal rows whose signatures differ are not found.
func (m *Image) Equivalences(limit int) (pairs []Pair, emitted uint64, err error) {
	if m == nil {
		return nil, 0, &ArgumentError{"Equivalences", "the image", "nil", "one that a Builder or FromSnapshot made"}
	}
	if limit < 0 {
		return nil, 0, &ArgumentError{"Equivalences", "limit", fmt.Sprint(limit), "0 or more pairs"}
	}
	if err := m.checkLayout(); err != nil {
		return nil, 0, err
	}
	class, signatures, ops := m.Column(RowClasses), m.Column(Signatures), m.Column(RowOps)
	type holder struct{ leader, class uint32 }
	leaders := map[uint32][]uint32{} // by signature: the first of the rows that are equal
	classes := map[uint32][]uint32{} // by leader: the classes that hold such a row
	held := map[holder]bool{}
	for row := range class {
		at := slices.IndexFunc(leaders[signatures[row]], func(first uint32) bool {
			return ops[first] == ops[row] && slices.Equal(m.RowChildren(int(first)), m.RowChildren(row))
		})
		leader := uint32(row)
		if at < 0 {
			leaders[signatures[row]] = append(leaders[signatures[row]], leader)
		} else {
			leader = leaders[signatures[row]][at]
		}
		if held[holder{leader, class[row]}] {
			continue
		}
		held[holder{leader, class[row]}] = true
		for _, other := range classes[leader] {
			pairs = append(pairs, Pair{min(other, class[row]), max(other, class[row])})
		}
		if len(pairs) > limit {
			return nil, 0, &SizeError{"pairs", uint64(len(pairs)), uint64(limit)}
		}
		classes[leader] = append(classes[leader], class[row])
	}
	emitted = uint64(len(pairs))
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
