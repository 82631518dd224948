package standin

import (
	"expvar"
	"flag"
	"net/http"
	"net/http/pprof"
	"os"
	"sync"
)

// OwnProgram makes what is one for each process that of the cells' program, not of the kernel: no
// arguments, no flags, and no patterns in http.DefaultServeMux but those that cells register. It is
// for processes that do nothing but execute cells, and have read their own arguments.
func OwnProgram() {
	os.Args = os.Args[:min(len(os.Args), 1)]
	flag.CommandLine = flag.NewFlagSet(name(), flag.ExitOnError)
	flag.CommandLine.Usage = func() { flag.Usage() }
	http.DefaultServeMux = new(http.ServeMux)
	program.mu.Lock()
	defer program.mu.Unlock()
	program.own, program.imported = true, map[string]bool{}
}

func name() string {
	if len(os.Args) == 0 {
		return ""
	}
	return os.Args[0]
}

// kernels are the flags of the kernel's own process, which packages registered that cells may
// import.
var kernels = flag.CommandLine

// registers are what importing a package adds to a program.
var registers = map[string]func(){
	"expvar": func() { http.Handle("GET /debug/vars", expvar.Handler()) },
	"net/http/pprof": func() {
		http.HandleFunc("GET /debug/pprof/", pprof.Index)
		http.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		http.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		http.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		http.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	},
	"testing/quick": func() {
		if f := kernels.Lookup("quickchecks"); f != nil {
			flag.Var(f.Value, f.Name, f.Usage)
		}
	},
}

var program struct {
	mu       sync.Mutex
	own      bool
	imported map[string]bool
}

// Imported does for the cells' program what the initialization of a package does, when a cell
// first imports it.
func Imported(path string) {
	register := registers[path]
	if register == nil {
		return
	}
	program.mu.Lock()
	defer program.mu.Unlock()
	if program.own && !program.imported[path] {
		program.imported[path] = true
		register()
	}
}
