package vm_test

import (
	"errors"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
)

// TestPanicsAnewWithTheSameConstant: constants, and small numbers, are boxed once, as in compiled programs, so that a
// panic which is recovered and followed by one with the same value is told as one. On yaegi it is told as two. // G7
func TestPanicsAnewWithTheSameConstant(t *testing.T) {
	const again = " [recovered, repanicked]"
	for source, mark := range map[string]string{
		`defer func() { recover(); panic("x") }(); panic("x")`:     again,
		`defer func() { recover(); panic(1000) }(); panic(1000)`:   again,
		`n := 7; defer func() { recover(); panic(n) }(); panic(n)`: again,
		`defer func() { recover(); panic("y") }(); panic("x")`:     " [recovered]",
		`defer func() { recover(); panic(1) }(); panic(uint(1))`:   " [recovered]",
	} {
		var p *engine.Panic
		err := cells(t, open(t, vm.Options{}), "func f() { "+source+" }", "f()")
		if !errors.As(err, &p) {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if shown := p.Shown(); shown[0].Mark != mark || (mark == again) != (len(shown) == 1) {
			t.Errorf("%s shows %+v", source, shown)
		}
	}
}
