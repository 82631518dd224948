package interp

import (
	"context"
	"slices"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/enginetest"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

func openBoth(t *testing.T) *Session {
	t.Helper()
	e, err := enginetest.Engines["vm"]()
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(e, Options{Engines: map[string]func() (engine.Engine, error){"vm": enginetest.Engines["vm"],
		"yaegi": enginetest.Engines["yaegi"]}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestSwitchEngine(t *testing.T) {
	s := openBoth(t)
	const here = " executes cells from here on. What earlier cells declared was "
	const gone = "'s: it is forgotten, and what they left running has stopped."
	for i, step := range []step{
		{source: "%engine", shows: "vm executes cells; there are vm, yaegi"},
		{source: "x := 1\nch := make(chan int)\ngo func() { <-ch }()"},
		{source: "%engine yaegii", fails: `no engine "yaegii": did you mean yaegi? (there are vm, yaegi)`},
		{source: "x", shows: "1"},
		{source: "%engine vm", shows: "vm executes cells, as before"},
		{source: "%engine yaegi", shows: "yaegi" + here + "vm" + gone},
		{source: "%engine", shows: "yaegi executes cells; there are vm, yaegi"},
		{source: "x", fails: "In[8]:1:1: undefined: x"},
		{source: "type T struct{ n int }\nfunc (t T) String() string { return fmt.Sprint(\"T\", t.n) }\nx := []T{{1}, {2}}\nx", shows: "[]T{T1, T2}"},
		{source: "x = append(x, T{3})\nfmt.Printf(\"%T %v\\n\", x, x)", prints: "[]main.T [T1 T2 T3]\n"},
		{source: "func f(i int) T { return x[i] }\nf(7)", fails: "runtime error: index out of range [7] with length 3"},
		{source: "runtime.MemProfile(nil, true)",
			fails: "In[12]:1:19: runtime.MemProfile is not supported: it would show yaegi's own in place of the profile of " +
				"the cell; %engine vm executes it"},
		{source: "f(2)", shows: "T3"},
		{source: "slices.Sort([]int{2, 1})"}, {source: "s := []int{3, 2}\nslices.Sort(s)\ns[0]", shows: "2"},
		{source: "%engine vm\ny := 2\ny", shows: "2"},
		{source: "s := []int{5, 4}\nslices.Sort(s) // vm has not made it yet\ns[0]", shows: "4"},
		{source: "slices.Sort(s)\ns[1]", shows: "5"},
	} {
		checkStep(t, s, i+1, step)
	}
	if n := len(s.current().Goroutines()); n != 0 {
		t.Errorf("%d goroutines", n)
	}
}

func TestCompleteEngine(t *testing.T) {
	s := openBoth(t)
	for source, want := range map[string][]string{"%engine ": {"vm", "yaegi"}, "%engine y": {"yaegi"}, "%engine q": nil,
		"%eng": {"%engine"}} {
		r := s.Complete(context.Background(), worker.CompleteRequest{Source: source, Cursor: len(source)})
		var got []string
		for _, m := range r.Matches {
			got = append(got, m.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", source, got, want)
		}
	}
}
