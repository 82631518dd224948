package main

import "strings"

type node struct {
	children map[rune]*node
	end      bool
}

func (n *node) insert(word string) {
	for _, r := range word {
		if n.children == nil {
			n.children = make(map[rune]*node)
		}
		next := n.children[r]
		if next == nil {
			next = &node{}
			n.children[r] = next
		}
		n = next
	}
	n.end = true
}

func (n *node) count() int {
	c := 0
	if n.end {
		c = 1
	}
	for _, child := range n.children {
		c += child.count()
	}
	return c
}

func work() int {
	root := &node{}
	words := strings.Fields("the quick brown fox jumps over the lazy dog while other animals look on in mild amusement and some disbelief")
	for i, w := range words {
		for j := range words {
			root.insert(w + words[(i*j)%len(words)])
		}
	}
	return root.count()
}
