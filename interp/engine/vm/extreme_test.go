package vm_test

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
)

// extremes are conditions that hold in Go.
var extremes = []string{
	"min(a, b) == 3 && max(a, b) == 5 && max(b, a)+min(a, 4) == 8",
	"max(a*2, b+1) == 6 && min(-a, -b) == -5 && max(a, 4, b) == 5",
	"math.IsNaN(min(x, nan)) && math.IsNaN(max(nan, x)) && math.Signbit(min(0, negative)) && !math.Signbit(max(negative, 0))",
	"min(s[0], s[1], s[2]) == 1 && max(s[len(s)-1], s[0]) == 3",
	"min(u, 255) == 200 && max(u, u+100) == 200 && min(\"b\", \"a\") == \"a\"",
	"max(i8, -100) == -5 && min(f32, 2) == 1.5 && max(big, 1) == 1<<63",
	"func() int { a = max(b, a); b = min(a, b); return a*10 + b }() == 55",
	"func() int { for _, v := range s { a = min(a, v) }; return a }() == 1",
	"func() (text string) { defer func() { text = fmt.Sprint(recover()) }(); return fmt.Sprint(max(s[7], s[8])) }() == \"runtime error: index out of range [7] with length 3\"",
	"func() int { n := 0; f := func(k int) int { n = n*10 + k; return k }; _ = max(f(1), f(2)); return n }() == 12",
}

func TestExtremes(t *testing.T) {
	for _, cond := range extremes {
		source := `import ("fmt"; "math")
func holds(a, b int, x float64, s []int, u uint8, i8 int8, f32 float32, big uint64) bool {
	nan, negative := math.NaN(), math.Copysign(0, -1)
	_, _, _ = fmt.Sprint, nan, negative
	return ` + cond + `
}
if !holds(3, 5, 1, []int{3, 1, 2}, 200, -5, 1.5, 1<<63) { panic("no") }`
		if err := cells(t, open(t, vm.Options{}), source); err != nil {
			t.Errorf("%s: %v", cond, err)
		}
	}
}
