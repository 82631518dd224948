//go:build go1.26 && !go1.27 && (amd64 || arm64)

package rtype

// Release is the Go release whose descriptor layouts abi.go follows.
const Release = "go1.26"
