package magic

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	type call struct{ name, args, body, source string }
	for _, c := range []struct {
		text  string
		calls []call
		rest  string
	}{
		{"x := 1", nil, "x := 1"},
		{"%who\nx", []call{{"%who", "", "", "    "}}, "    \nx"},
		{"\n %time f(1)\nx", []call{{"%time", "f(1)", "", "\n       f(1)"}}, "\n           \nx"},
		{"!ls -l\n", []call{{"!", "ls -l", "", ""}}, ""},
		{"%%bash a\nb\nc", []call{{"%%bash", "a", "b\nc", "        \nb\nc"}}, "        \n \n "},
		{"%%ptx", []call{{"%%ptx", "", "", "     "}}, "     "},
		{"x %who", nil, "x %who"},
		{"// what\n// is there\n%who // all\n\n// x\nx", []call{{"%who", "// all", "", "       \n           \n     // all"}}, "       \n           \n           \n\n// x\nx"},
		{"// F does.\nfunc F() {}", nil, "// F does.\nfunc F() {}"},
		{"// nothing\n", nil, "// nothing\n"},
		{"// c\n%%bash\nb", []call{{"%%bash", "", "b", "    \n      \nb"}}, "    \n      \n "},
		{"%a\n%b 1\n%%c\nd", []call{{"%a", "", "", "  "}, {"%b", "1", "", "  \n   1"}, {"%%c", "", "d", "  \n    \n   \nd"}}, "  \n    \n   \n "},
	} {
		calls, rest := Split(c.text)
		var got []call
		for _, m := range calls {
			got = append(got, call{m.Name, m.Args, m.Body, m.Source})
		}
		if !reflect.DeepEqual(got, c.calls) || rest != c.rest {
			t.Errorf("%q:\ngot  %q, %q\nwant %q, %q", c.text, got, rest, c.calls, c.rest)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"%a b", "%%c\nd", "!e\n\n%f\tg", "%\r\n", "\xff%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		calls, rest := Split(text)
		if strings.Count(rest, "\n") > strings.Count(text, "\n") {
			t.Errorf("%q became more lines: %q", text, rest)
		}
		for _, c := range calls {
			if c.Body != "" && !strings.HasSuffix(text, c.Body) {
				t.Errorf("%q has no body %q", text, c.Body)
			}
		}
	})
}

func TestUnknown(t *testing.T) {
	Register("%timeit", "", nil)
	defer func() { table.Lock(); delete(table.entries, "%timeit"); table.Unlock() }()
	for name, want := range map[string]string{
		"%timet": "%timeit", "%tmie": "%time", "%hlep": "%help", "%bash": "%%bash", "%%time1": "%%time", "%whos": "%who", "%%reset": "%reset",
		"%Who": "%who", "%xyzzy": "", "%": "", "%matplotlib": "",
	} {
		_, err := Run(context.Background(), &Call{Name: name})
		var unknown *UnknownError
		if !errors.As(err, &unknown) || unknown.Near != want {
			t.Errorf("%s: got %v, want a hint at %q", name, err, want)
		}
	}
}
