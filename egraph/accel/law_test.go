package accel

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

// The package is data: no call of it can be refused, and an exported function would be held to the law.
func TestLaws(t *testing.T) {
	lawtest.Test(t, lawtest.Package{
		Data:    []any{(*UnfitError)(nil)},
		Refusal: func(any) bool { return false },
	})
}
