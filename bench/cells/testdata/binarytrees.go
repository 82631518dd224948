package main

type tree struct{ left, right *tree }

func bottomUp(depth int) *tree {
	if depth == 0 {
		return &tree{}
	}
	return &tree{bottomUp(depth - 1), bottomUp(depth - 1)}
}

func (t *tree) check() int {
	if t.left == nil {
		return 1
	}
	return 1 + t.left.check() + t.right.check()
}

func work() int {
	n := 0
	for i := 0; i < 20; i++ {
		n += bottomUp(12).check()
	}
	return n
}
