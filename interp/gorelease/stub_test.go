package gorelease

import "testing"

// Every stub must load its own number: they are written by macros.
func TestEveryStubLoadsItsNumber(t *testing.T) {
	for i := range StubCount {
		if err := checkStub(i); err != nil {
			t.Fatal(err)
		}
	}
}
