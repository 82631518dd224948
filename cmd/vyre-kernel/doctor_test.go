package main

import "testing"

func TestLinesOfACheckStandUnderEachOther(t *testing.T) {
	const column = "                     "
	for text, want := range map[string]string{
		"one": "one", "": "", "one\n  two\nthree\n": "one\n" + column + "two\n" + column + "three",
	} {
		if got := indented(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
