package magic

import (
	"go/parser"
	"os/exec"
	"slices"
	"strings"
	"unicode"
)

// A line that starts with ! is for the shell, as in other kernels, though Go's not starts with it
// too. Where it reads like Go, and its first word is a name that cells declared and nothing that a
// shell knows, it is Go; where it is for the shell and fails, and Go could have been meant, the
// error says so.

// isGo reports whether the text behind a line's ! is Go's.
func isGo(text string, declared func(name string) bool) bool {
	word := firstWord(text)
	if declared == nil || word == "" || !declared(word) || knownToShell(word) {
		return false
	}
	switch rest := strings.TrimPrefix(strings.TrimSpace(text), word); {
	case strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="), strings.HasPrefix(rest, "/"),
		strings.HasPrefix(rest, "-"):
		return false // a variable of the shell's, a path, a longer name
	}
	return isNot(text)
}

// meantAsGo reports whether Go could have been meant where a shell failed.
func meantAsGo(text string) bool {
	word := firstWord(text)
	return (text[0] == '(' || word == "true" || word == "false") && isNot(text)
}

// isNot reports whether a text is one expression of Go behind its !.
func isNot(text string) bool {
	_, err := parser.ParseExpr("!" + text)
	return err == nil
}

// firstWord is the identifier that a text starts with, or nothing.
func firstWord(text string) string {
	text = strings.TrimSpace(text)
	end := strings.IndexFunc(text, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if end < 0 {
		end = len(text)
	}
	return text[:end]
}

// knownToShell tells of commands, and of the words that a shell knows by itself.
func knownToShell(word string) bool {
	if slices.Contains(shellWords, word) {
		return true
	}
	_, err := exec.LookPath(word)
	return err == nil
}

var shellWords = strings.Fields("alias bg break case cd command continue do done echo elif else esac eval exec " +
	"exit export false fg fi for function getopts hash if in " +
	"jobs kill local printf pwd read readonly return select set shift source test then time times trap true type " +
	"ulimit umask unalias unset until wait while")
