package cell

import (
	"runtime"
	"strings"
	"testing"
)

func TestDirectives(t *testing.T) {
	tests := []struct{ name, src, place, says string }{
		{"embed", "import \"embed\"\n//go:embed a.txt\nvar files embed.FS", "2:1", "//go:embed is not supported in cells"},
		{"embed, indented, in a program",
			"package main\n\nimport _ \"embed\"\n\nfunc main() {\n\t//go:embed x\n\tvar s string\n\t_ = s\n}", "6:2",
			"os.ReadFile"},
		{"linkname of a variable", "import _ \"unsafe\"\n//go:linkname x runtime.allglen\nvar x uintptr", "2:1",
			"//go:linkname is not supported"},
		{"linkname here", "//go:linkname f main.g\nfunc f() {}", "", ""},
		{"debug", "//go:debug madvdontneed=1\npackage main\n\nfunc main() {}", "1:1", "GODEBUG"},
		{"another system", "//go:build plan9\n\nx := 1", "1:1", "the build constraint plan9 leaves this cell out"},
		{"ignored file", "// Makes tables.\n\n//go:build ignore\n\npackage main\n\nfunc main() {}", "3:1",
			"the build constraint ignore leaves"},
		{"cgo", "//go:build cgo && linux\npackage main\nfunc main() {}", "1:1", "cgo && linux"},
		{"this system", "//go:build " + runtime.GOOS +
			" && gc && go1.9 && go1.21 && !go1.999\n\npackage main\n\nfunc main() {}", "", ""},
		{"constraint behind code", "x := 1\n//go:build plan9\ny := 2", "", ""},
		{"in a string", "s := \"//go:embed x\"\nr := `\n//go:build plan9\n`", "", ""},
		{"no matter", "//go:generate stringer\n//go:noinline\nfunc f() {}\n// go:embed in words\n", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Split(1, test.src)
			switch {
			case err == nil && test.says != "":
				t.Error("it is taken")
			case err != nil && (test.says == "" || !strings.Contains(err.Error(), test.says) ||
				!strings.Contains(err.Error(), "In[1]:"+test.place+":")):
				t.Error(err)
			}
		})
	}
}
