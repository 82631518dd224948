package main

import (
	"fmt"
	"runtime"
	"strings"
)

// A release is the Go release whose standard library is looked at: the one that runs this program.
type release struct{ major, minor int }

func thisRelease() (release, error) {
	var r release
	_, err := fmt.Sscanf(strings.TrimPrefix(runtime.Version(), "go"), "%d.%d", &r.major, &r.minor)
	if err != nil {
		return r, fmt.Errorf("the Go release %s: %w", runtime.Version(), err)
	}
	return r, nil
}

// suffix is how the names of its files go on.
func (r release) suffix() string { return fmt.Sprintf("_go%d%d", r.major, r.minor) }

// constraint is the build constraint of its Go files.
func (r release) constraint() string {
	return fmt.Sprintf("//go:build go%d.%d && !go%d.%d\n\n", r.major, r.minor, r.major, r.minor+1)
}
