package term

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names of operators and leaves are any texts that are not empty, have no U+0000 and at most maxName bytes. Where a
// name cannot stand in a text as it is, because it would be read as something else, it stands in double quotes, with
// the escapes of Go's strings: "a;b", "two words", "?x" (the name, not the variable), "1" (the symbol, not the
// number), "\xff". What is printed reads back.

// MaxName is how many bytes a name has at most.
const MaxName = 1 << 20

// A NameError is a name that no operator and no leaf can have.
type NameError struct {
	Name   string
	Reason string
}

func (e *NameError) Error() string {
	name := e.Name
	if len(name) > 40 {
		name = name[:40]
	}
	return fmt.Sprintf("egraph: the name %q %s: give another", name, e.Reason)
}

// CheckName refuses what is no name by a *NameError.
func CheckName(name string) error {
	switch {
	case len(name) > MaxName:
		return &NameError{name, fmt.Sprintf("has %d bytes, more than %d", len(name), MaxName)}
	case name == "":
		return &NameError{name, "is empty"}
	case strings.IndexByte(name, 0) >= 0:
		return &NameError{name, "has a U+0000"}
	}
	return nil
}

// Quote is a name as it stands in a text: in quotes where it would be read as something else.
func Quote(name string) string {
	if standsBare(name) {
		return name
	}
	return strconv.Quote(name)
}

func standsBare(name string) bool {
	if name == "" || name[0] == '?' || name[0] == '"' || !utf8.ValidString(name) || len(name) > 1 &&
		name[len(name)-1] == ',' {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return ends(r) || !unicode.IsPrint(r)
	}) < 0
}

// ends reports whether a rune ends a bare token.
func ends(r rune) bool { return r == '(' || r == ')' || r == ';' || unicode.IsSpace(r) }

// spelledLeaf is a symbol as it stands in a text.
func spelledLeaf(name string) string {
	if _, number := parseNumber(name); number || overZero(name) {
		return strconv.Quote(name)
	}
	return Quote(name)
}
