package rtype_test

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/rtype"
)

func TestSelfcheck(t *testing.T) {
	if err := rtype.Selfcheck(); err != nil {
		t.Fatal(err)
	}
}
