package image

import "slices"

// A Rewrite replaces a class by the smallest class of its set.
type Rewrite struct{ From, To uint32 }

// A UnionPlan is what a list of unions comes to.
type UnionPlan struct {
	Rewrites   []Rewrite // ascending by From
	SelfPairs  int       // unions of a class with itself
	Duplicates int       // unions that were there before, in either order
}

// PlanUnions plans unions of classes, given in any order.
func PlanUnions(unions [][2]uint32) UnionPlan {
	var plan UnionPlan
	parent := map[uint32]uint32{}
	find := func(x uint32) uint32 {
		for {
			p, ok := parent[x]
			if !ok {
				return x
			}
			if q, ok := parent[p]; ok {
				parent[x] = q
			}
			x = p
		}
	}
	seen := map[Pair]bool{}
	for _, u := range unions {
		p := Pair{min(u[0], u[1]), max(u[0], u[1])}
		switch {
		case p.Left == p.Right:
			plan.SelfPairs++
			continue
		case seen[p]:
			plan.Duplicates++
			continue
		}
		seen[p] = true
		if a, b := find(p.Left), find(p.Right); a != b {
			parent[max(a, b)] = min(a, b)
		}
	}
	for from := range parent {
		plan.Rewrites = append(plan.Rewrites, Rewrite{from, find(from)})
	}
	slices.SortFunc(plan.Rewrites, func(a, b Rewrite) int { return int(int64(a.From) - int64(b.From)) })
	return plan
}
