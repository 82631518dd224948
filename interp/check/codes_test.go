package check

import (
	"errors"
	"go/types"
	"testing"
)

// TestExamplesHaveTheirCodes compiles the example of each code and looks for the code.
func TestExamplesHaveTheirCodes(t *testing.T) {
	for want, x := range Explanations {
		if x.Name == "" || x.Means == "" || x.Hint == "" {
			t.Errorf("%d: something is missing: %+v", want, x)
		}
		c, err := New(nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Check(1, x.Example)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %s: %v", x.Name, x.Example, err)
		} else if got := e.Diagnostics[0].Code; got != want {
			t.Errorf("%s: %s: code %d (%s): %v", x.Name, x.Example, got, Explanations[got].Name, err)
		}
	}
}

// TestErrorWithoutCode is that words alone make no code.
func TestErrorWithoutCode(t *testing.T) {
	if got := code(types.Error{Msg: "undefined: x"}); got != 0 {
		t.Errorf("code %d", got)
	}
}
