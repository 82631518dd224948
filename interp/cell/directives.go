package cell

import (
	"go/build/constraint"
	"go/scanner"
	"go/token"
	"runtime"
	"strings"
)

// Comments that are directives to the go command or the compiler. Those that change what a program
// does, and that mean nothing in a cell, are refused; others (noinline, generate, ...) change
// nothing here either.
var refusedDirectives = map[string]string{
	"embed":      "there is no package directory to embed files from: read them with os.ReadFile, or use os.DirFS",
	"debug":      "it says how a program is built: call os.Setenv(\"GODEBUG\", ...)",
	"wasmimport": "there is no WebAssembly host",
	"wasmexport": "there is no WebAssembly host",
}

const directive = "//go:"

// directives finds those that are refused, and build constraints that do not hold.
func directives(name, src string) (found SyntaxErrors) {
	if !strings.Contains(src, directive) {
		return nil
	}
	fset := token.NewFileSet()
	file := fset.AddFile(name, -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	for first := true; ; {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return found
		case tok != token.COMMENT:
			first = false
		case strings.HasPrefix(text, directive):
			if why := refusal(text, first); why != "" {
				found = append(found, &SyntaxError{fset.Position(pos), why})
			}
		}
	}
}

// refusal says why a directive is refused: nothing where it is not. It is first where only comments
// stand above it.
func refusal(text string, first bool) string {
	word, args, _ := strings.Cut(strings.TrimPrefix(text, directive), " ")
	switch {
	case word == "linkname" && !linksHere(args):
		return "//go:linkname is not supported in cells: it needs a compiled package"
	case word == "build" && first:
		if x, err := constraint.Parse(text); err == nil && !x.Eval(Holds) {
			return "the build constraint " + x.String() +
				" leaves this cell out: take it away, or keep the cell for where it holds"
		}
	case refusedDirectives[word] != "":
		return directive + word + " is not supported in cells: " + refusedDirectives[word]
	}
	return ""
}

// linksHere tells of names that the text itself declares.
func linksHere(args string) bool {
	f := strings.Fields(args)
	return len(f) == 2 && strings.HasPrefix(f[1], "main.")
}

// Holds reports whether cells are built with a tag of build constraints: the platform's, and the
// releases up to Go's that builds the kernel.
func Holds(tag string) bool {
	switch tag {
	case runtime.GOOS, runtime.GOARCH, runtime.Compiler:
		return true
	case "unix":
		return runtime.GOOS == "linux" || runtime.GOOS == "darwin"
	}
	minor, ok := strings.CutPrefix(tag, "go1.")
	latest, _, _ := strings.Cut(strings.TrimPrefix(runtime.Version(), "go1."), ".")
	return ok && (len(minor) < len(latest) || len(minor) == len(latest) && minor <= latest)
}
