package drivertest_test

import (
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver/drivertest"
)

// A law that cannot be told apart or said in a sentence is not one.
func TestLawsAreNamed(t *testing.T) {
	laws := drivertest.Laws()
	if len(laws) < 60 {
		t.Errorf("%d laws", len(laws))
	}
	for name, law := range laws {
		if len(strings.Fields(law)) < 4 {
			t.Errorf("%s: %q", name, law)
		}
	}
}
