package picture

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/lawtest"
)

// The package is data and how it is drawn: an exported function would be held to the law.
func TestLaws(t *testing.T) {
	lawtest.Test(t, lawtest.Package{
		Data:    []any{(*Picture)(nil)},
		Refusal: func(any) bool { return false },
	})
}
