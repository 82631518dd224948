package lawtest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vyre-kernel/vyre-kernel/lawtest/testdata/door"
)

func ours(v any) bool {
	err, ok := v.(error)
	var refusal *door.Error
	return ok && errors.As(err, &refusal)
}

// TestRight: a package that keeps the law has no violations.
func TestRight(t *testing.T) {
	p := Package{
		Dir:   "testdata/door",
		Types: []any{(*door.Door)(nil)},
		Data:  []any{door.Paint{}, (*door.Error)(nil)},
		States: []State{{Name: "hung", Works: true, New: func() any {
			d, _ := door.Hang(&door.Paint{})
			return d
		}}},
		Functions: map[string]any{"Hang": door.Hang},
		Args:      []any{func() *door.Paint { return &door.Paint{} }},
		Refusal:   ours,
		Limit:     time.Second,
	}
	found := slices.DeleteFunc(p.Violations(), func(v string) bool {
		return strings.Contains(v, "Gate") || strings.Contains(v, "Forgotten") || strings.Contains(v, "function Open")
	})
	if len(found) != 0 {
		t.Errorf("violations: %q", found)
	}
}

// TestWrong: each way to break the law is found.
func TestWrong(t *testing.T) {
	gate := State{Name: "hung", Works: true, New: func() any { return &door.Gate{} }}
	p := Package{
		Dir:     "testdata/door",
		Types:   []any{(*door.Gate)(nil), (*door.Door)(nil)},
		Data:    []any{door.Paint{}},
		States:  []State{gate},
		Refusal: ours,
		Answers: map[string]string{"Gate.Allowed *": "it may", "Gate.Nothing zero": "no such method"},
		Apart:   map[string]string{"Gate.Hangs": "it hangs"},
		Limit:   100 * time.Millisecond,
	}
	found := p.Violations()
	for _, want := range []string{
		"type Forgotten has methods and is in neither Types nor Data",
		"type hinge is handed out by a call, has methods, and is in neither Types nor Data",
		"function Open is not in Functions",
		"function Hang is not in Functions",
		"Gate.Plain nil: panic: runtime error: invalid memory address",
		"Gate.Plain zero: panic: runtime error: invalid memory address",
		"Gate.Plain twice at once: panic: runtime error: invalid memory address",
		"Gate.Plain beside Gate.Allowed: panic: runtime error: invalid memory address",
		"Gate.Silent zero: answered",
		"Gate.Foreign hung: an error of another type",
		"Gate.Leaves hung: ended its goroutine",
		"Gate.Hangs nil: did not return within 100ms",
		"Gate.Takes of nil 0: panic: runtime error: invalid memory address",
		`Answers["Gate.Nothing zero"]: no such call answers`,
	} {
		if !slices.ContainsFunc(found, func(v string) bool { return strings.HasPrefix(v, want) }) {
			t.Errorf("not found: %s", want)
		}
	}
	for _, v := range found {
		if strings.HasPrefix(v, "Gate.Allowed") || strings.Contains(v, "Silent hung") {
			t.Errorf("no violation: %s", v)
		}
	}
	if t.Failed() {
		t.Logf("found:\n%s", strings.Join(found, "\n"))
	}
}
