package conformance

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
)

// Every program of the corpus is Go, whole and in cells.
func TestCheckerAcceptsTheCorpus(t *testing.T) {
	ps, err := Corpus()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range ps {
		cells, err := Cut(p)
		if err != nil {
			t.Error(err)
		}
		for i, session := range [][]string{{p.Source}, cells} {
			c, err := check.New(nil)
			if err != nil {
				t.Fatal(err)
			}
			for n, cell := range session {
				k, err := c.Check(n+1, cell)
				if err != nil {
					t.Errorf("%s (%s), cell %d: %v\n%s", p.ID(), []string{"whole", "cells"}[i], n+1, err, cell)
					break
				}
				c.Commit(k)
			}
		}
	}
}
