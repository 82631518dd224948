package rtype_test

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

func TestVital(t *testing.T) {
	if err := gorelease.Vital(); err != nil {
		t.Fatal(err)
	}
}
