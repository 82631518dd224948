// Package image is an e-graph as columns of 32-bit words in one slab, the form in which a device reads
// it: no device is needed to make one, to check one or to say what a device must answer.
//
// The way of the data: rows go in through a Builder (builder.go), in blocks that are columns already
// or one by one; layout.go says where the columns lie; image.go reads them; check.go finds what is
// wrong with an image that comes from outside; equivalence.go gives the pairs of classes that hold
// equal rows, the answer that a device is compared with; scratch.go lays out what a device works in
// and decodes what it wrote; unions.go plans unions.
//
// The slab, without padding, R rows, C children in all, G classes:
//
//	row classes [R] | row operators [R] | children offsets [R] | children lengths [R] | signatures [R] |
//	children [C] | group classes [G], ascending | group offsets [G+1] | group rows [R]
package image
