package gorelease

import (
	"sync"
	"testing"
	"testing/synctest"
)

// All facts hold for the releases that the package is built with.
func TestFactsHold(t *testing.T) {
	for _, f := range Facts {
		if err := f.Err(); err != nil {
			t.Error(err)
		}
		t.Logf("%-40s %v", f.Name, f.Took())
	}
}

// TestInBubble also has the linker keep what Bubbles is about, which a WaitGroup calls.
func TestInBubble(t *testing.T) {
	var group sync.WaitGroup
	group.Go(func() {})
	group.Wait()
	if InBubble()() {
		t.Error("a goroutine is in a bubble that nobody made")
	}
	synctest.Test(t, func(t *testing.T) {
		if !InBubble()() {
			t.Error("a goroutine is not in the bubble that it was started in")
		}
	})
}
