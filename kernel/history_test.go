package kernel_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/kernel"
	"github.com/vyre-kernel/vyre-kernel/kernel/connection"
	"github.com/vyre-kernel/vyre-kernel/kernel/kerneltest"
)

func TestHistory(t *testing.T) {
	_, c := start(t, inProcess())
	for _, code := range []string{"result 1", "print x", "result 1"} {
		c.Execute(code)
	}
	for _, x := range []struct{ request, want string }{
		{`{"hist_access_type":"tail","n":2,"output":false,"raw":true}`, "[[1 2 print x] [1 3 result 1]]"},
		{`{"hist_access_type":"tail","n":1,"output":true,"raw":true}`, "[[1 3 [result 1 1]]]"},
		{`{"hist_access_type":"range","session":0,"start":1,"stop":3,"output":false,"raw":true}`,
			"[[1 1 result 1] [1 2 print x]]"},
		{`{"hist_access_type":"search","pattern":"res*","n":5,"output":false,"raw":true}`, "[[1 1 result 1] [1 3 result 1]]"},
		{`{"hist_access_type":"search","pattern":"res*","unique":true,"output":false,"raw":true}`, "[[1 3 result 1]]"},
		{`{"hist_access_type":"search","pattern":"p[r]*","output":false,"raw":true}`, "[]"},
		{`{"hist_access_type":"tail","n":0,"output":false,"raw":true}`, "[]"},
	} {
		got := c.Ask(connection.Shell, "history_request", json.RawMessage(x.request)).Content()["history"]
		if fmt.Sprint(got) != x.want {
			t.Errorf("%s: %v", x.request, got)
		}
	}
}

func TestHistoryOverSessions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sub", "history.sqlite")
	ask := func(c *kerneltest.Client, request string) string {
		return fmt.Sprint(c.Ask(connection.Shell, "history_request", json.RawMessage(request)).Content()["history"])
	}
	t.Run("first", func(t *testing.T) {
		_, c := startWith(t, kernel.Options{Worker: inProcess(), HistoryFile: file})
		c.Execute("result 1")
	})
	t.Run("second", func(t *testing.T) {
		_, c := startWith(t, kernel.Options{Worker: inProcess(), HistoryFile: file})
		c.Execute("print x")
		c.Execute("result 1")
		for _, x := range []struct{ request, want string }{
			{`{"hist_access_type":"tail","n":2,"output":true}`, "[[2 1 [print x <nil>]] [2 2 [result 1 1]]]"},
			{`{"hist_access_type":"tail","n":9}`, "[[1 1 result 1] [2 1 print x] [2 2 result 1]]"},
			{`{"hist_access_type":"range","session":0,"start":2}`, "[[2 2 result 1]]"},
			{`{"hist_access_type":"range","session":-1,"start":1,"stop":2}`, "[[1 1 result 1]]"},
			{`{"hist_access_type":"range","session":1,"start":1,"stop":2}`, "[[1 1 result 1]]"},
			{`{"hist_access_type":"search","pattern":"r*","unique":true,"n":5}`, "[[2 2 result 1]]"},
		} {
			if got := ask(c, x.request); got != x.want {
				t.Errorf("%s: %s", x.request, got)
			}
		}
	})
	if st, err := os.Stat(file); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", st, err)
	}
	t.Run("broken", func(t *testing.T) {
		if err := os.WriteFile(file, []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, c := startWith(t, kernel.Options{Worker: inProcess(), HistoryFile: file})
		c.Execute("result 1")
		if got := ask(c, `{"hist_access_type":"tail","n":9}`); got != "[[1 1 result 1]]" {
			t.Error(got)
		}
	})
}
