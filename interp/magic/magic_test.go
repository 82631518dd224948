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
		{"// what\n// is there\n%who // all\n\n// x\nx", []call{{"%who", "// all", "", "       \n           \n     // all"}},
			"       \n           \n           \n\n// x\nx"},
		{"// F does.\nfunc F() {}", nil, "// F does.\nfunc F() {}"},
		{"// nothing\n", nil, "// nothing\n"},
		{"// c\n%%bash\nb", []call{{"%%bash", "", "b", "    \n      \nb"}}, "    \n      \n "},
		{"%a\n%b 1\n%%c\nd", []call{{"%a", "", "", "  "}, {"%b", "1", "", "  \n   1"}, {"%%c", "", "d", "  \n    \n   \nd"}},
			"  \n    \n   \n "},
	} {
		calls, rest := Split(c.text, nil)
		var got []call
		for _, m := range calls {
			got = append(got, call{m.Name, m.Args, m.Body, m.Source})
		}
		if !reflect.DeepEqual(got, c.calls) || rest != c.rest {
			t.Errorf("%q:\ngot  %q, %q\nwant %q, %q", c.text, got, rest, c.calls, c.rest)
		}
	}
}

func TestSplitNot(t *testing.T) {
	declared := func(name string) bool { return name == "ok" || name == "ls" }
	for text, shell := range map[string]string{
		"!ok": "", "!ok && true": "", "! ok.f(1)[2]\nx": "", "!ok == ok": "",
		"!ok=1; echo $ok": "ok=1; echo $ok", "!ok/run": "ok/run", "!ok-run": "ok-run", "!ok -v 3": "ok -v 3",
		"!nobody": "nobody", "!ls": "ls", "!true && ok": "true && ok", "!(ok)": "(ok)",
		"!echo a \\\n b": "echo a \\\n b", "!echo a\\\\\nb": `echo a\\`, "!a \\": "a \\", "!a \\\r\nb\r\n!c": "a \\\r\nb",
	} {
		calls, rest := Split(text, declared)
		if shell == "" && (len(calls) > 0 || rest != text) || shell != "" && (len(calls) == 0 || calls[0].Args != shell) {
			t.Errorf("%q: got %v and %q, want %q for the shell", text, calls, rest, shell)
		}
	}
}

func TestGoesOn(t *testing.T) {
	for text, want := range map[string]bool{"!a \\": true, "!a \\\nb": false, "!a \\\nb \\": true, "!a \\\\": false,
		"!a": false, "%who \\": false} {
		if calls, _ := Split(text, nil); len(calls) != 1 || calls[0].GoesOn() != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}

func TestShellErrors(t *testing.T) {
	for _, x := range []struct {
		name, args, body string
		want             ShellError
	}{
		{"!", "exit 3", "", ShellError{Shell: "sh", Status: 3}},
		{"!", "kill -9 $$", "", ShellError{Shell: "sh", Status: -1, Signal: 9}},
		{"!", "true && false", "", ShellError{Shell: "sh", Status: 1, Go: true}},
		{"%%bash", "-s 4 5", "exit $(($1 + $2 + $#))", ShellError{Shell: "bash", Status: 11}},
		{"%%bash", "-e", "false\n" + strings.Repeat(":\n", longScript), ShellError{Shell: "bash", Status: 1}},
	} {
		_, err := Run(context.Background(), &Call{Name: x.name, Args: x.args, Body: x.body})
		var failed *ShellError
		if !errors.As(err, &failed) || *failed != x.want {
			t.Errorf("%s %.40s: got %#v, want %#v", x.name, x.args+x.body, err, x.want)
		}
	}
}

func TestArgumentsOfCommandsWithout(t *testing.T) {
	_, err := Run(context.Background(), &Call{Name: "%reset", Args: "x"})
	var refused *ArgumentError
	if !errors.As(err, &refused) || refused.Found != "x" {
		t.Errorf("got %v, want an ArgumentError", err)
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"%a b", "%%c\nd", "!e\n\n%f\tg", "%\r\n", "\xff%"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		calls, rest := Split(text, nil)
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
		"%timet": "%timeit", "%tmie": "%time", "%hlep": "%help", "%bash": "%%bash", "%%time1": "%%time", "%whos": "%who",
		"%%reset": "%reset",
		"%Who":    "%who", "%RESET": "%reset", "%cd": "", "%%tmi": "%%time", "%%html": "", "%xyzzy": "", "%": "",
		"%matplotlib": "",
	} {
		_, err := Run(context.Background(), &Call{Name: name})
		var unknown *UnknownError
		if !errors.As(err, &unknown) || unknown.Near != want {
			t.Errorf("%s: got %v, want a hint at %q", name, err, want)
		}
	}
}
