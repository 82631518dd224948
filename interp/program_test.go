package interp

import (
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker/supervise"
)

// programs use what is one for each process: its arguments, flags and patterns, its input, its end.
var programs = []struct{ name, source, prints, fails string }{
	{"flags", `package main
import ("flag"; "fmt"; "os")
func main() {
	os.Args = []string{"prog", "-n", "5", "-quickchecks", "7", "rest"}
	n, checks := flag.Int("n", 3, "how many"), flag.Int("quickchecks", 1, "mine")
	flag.VisitAll(func(f *flag.Flag) { fmt.Println(f.Name, f.DefValue) })
	flag.Parse()
	fmt.Println(*n, *checks, flag.Args(), flag.NFlag())
	os.Args = os.Args[:1]
}`, "n 3\nquickchecks 1\n5 7 [rest] 2\n", ""},
	{"an unknown flag", "import \"flag\"\nflag.CommandLine.Parse([]string{\"-nobody\"})",
		"flag provided but not defined: -nobody", "exit status 2"},
	{"muxpatterns", `package main
import ("fmt"; "net/http"; "net/http/httptest")
func main() {
	http.HandleFunc("GET /debug/vars", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "mine") })
	http.HandleFunc("/users/{id}/{rest...}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.PathValue("id"), " ", r.PathValue("rest"))
	})
	for _, path := range []string{"/debug/vars", "/users/7/a/b", "/debug/pprof/cmdline"} {
		rec := httptest.NewRecorder()
		http.DefaultServeMux.ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
		fmt.Println(rec.Code, rec.Body)
	}
}`, "200 mine\n200 7 a/b\n404 404 page not found\n", ""},
	{"osargs", `package main
import ("flag"; "fmt"; "os")
func main() {
	flag.CommandLine = flag.NewFlagSet("", flag.ExitOnError)
	flag.Parse()
	fmt.Println(len(os.Args), flag.NArg(), flag.Args())
}`, "1 0 []\n", ""},
	{"stdinpipe", `package main
import ("bufio"; "fmt"; "io"; "os")
func main() {
	r, w, _ := os.Pipe()
	was := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = was }()
	fmt.Fprint(w, "one two\nthree\nfour\n")
	w.Close()
	var a, b string
	fmt.Scan(&a, &b)
	s := bufio.NewScanner(os.Stdin)
	for s.Scan() { fmt.Printf("%q ", s.Text()) }
	rest, err := io.ReadAll(os.Stdin)
	fmt.Println(a, b, len(rest), err)
}`, "\"three\" \"four\" one two 0 <nil>\n", ""},
	{"log.Fatal", "import \"log\"\nlog.SetFlags(0); log.Fatal(\"over\")", "over\n", "exit status 1"},
	{"log.Fatal in an example", `import "fmt"
func ExampleFatal() {
	fmt.Println("x")
	log.Fatal("the end")
	// Output: x
}`, "", ""},
	{"%test", "%test Fatal", "the end\n", "exit status 1"},
	{"the worker goes on", "fmt.Println(1 + 1)", "2\n", ""},
}

// TestPrograms is that programs have a process of their own, as far as they see, and none that ends
// its own ends the worker's.
func TestPrograms(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	l := &listener{deaf: deaf{make(chan error, 1)}}
	command := supervise.Command{Path: path, Env: []string{servesVariable + "=1"}}
	s := supervise.New(command, l, slog.New(slog.DiscardHandler))
	defer s.Close()
	for i, x := range programs {
		e := s.Execute(t.Context(), i+1, worker.ExecuteRequest{Number: i + 1, Source: x.source}).Error
		if e == nil && x.fails != "" || e != nil && (x.fails == "" || !strings.Contains(e.Value, x.fails)) {
			t.Errorf("%s: %+v, want %q", x.name, e, x.fails)
		}
		if got := l.printed(); !strings.Contains(got, x.prints) {
			t.Errorf("%s prints\n%s\nwant\n%s", x.name, got, x.prints)
		}
	}
	select {
	case err := <-l.died:
		t.Error(err)
	default:
	}
}
