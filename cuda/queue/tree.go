package queue

import _ "embed"

//go:embed ptx/tree.ptx
var treePTX string

// A TreeItem is a node of a binary tree of Depth levels below it.
type TreeItem struct{ Depth, Value uint32 }

// Tree is a workload of TreeItems that shows how items make items: below a node of value v hang 2v
// and 2v+1, and leaves are counted. Its user buffer holds two uint64: the number of leaves and the
// sum of their values.
func Tree() Workload { return Workload{Name: "tree", PTX: treePTX} }
