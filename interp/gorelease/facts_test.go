package gorelease

import (
	"reflect"
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

// Structs of other fields are told from those that are known.
func TestSameFields(t *testing.T) {
	known := reflect.TypeFor[once]()
	for _, other := range []reflect.Type{
		reflect.TypeFor[struct{ done, m int }](), reflect.TypeFor[struct {
			once
			more int
		}](),
	} {
		if sameFields(other, known) == nil {
			t.Errorf("%s is taken for sync.Once", other)
		}
	}
}
