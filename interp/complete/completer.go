package complete

import (
	"go/token"
	"go/types"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// A Completer answers for the cells of one session. Its methods may be called by several
// goroutines.
type Completer struct {
	check *check.Checker

	mu      sync.Mutex
	exports map[*types.Package][]worker.Completion // what packages export, in order of the names
	paths   []string                               // of packages, once asked for
}

// New makes a Completer for the cells that c checks.
func New(c *check.Checker) *Completer {
	return &Completer{check: c, exports: map[*types.Package][]worker.Completion{}}
}

// At lists the candidates at a byte offset, and the part of the text that each would replace.
func (c *Completer) At(src string, cursor int) (start, end int, list []worker.Completion) {
	cursor = within(src, cursor)
	if at, in := inText(src, cursor); in {
		return c.importPath(src, at, cursor)
	}
	start, prefix := word(src, cursor)
	end = cursor
	if prefix != "" && prefix[0] >= '0' && prefix[0] <= '9' {
		return start, end, nil // a number
	}
	if pkg := c.plainPackage(src, start); pkg != nil {
		return start, end, matching(c.exported(pkg), prefix)
	}
	p := patched(c.check, src, start, end, marker)
	if p == nil {
		return start, end, keywords(prefix)
	}
	s := &search{c: c, p: p, prefix: prefix, seen: map[string]bool{}}
	s.find()
	slices.SortFunc(s.list, func(a, b worker.Completion) int { return strings.Compare(a.Text, b.Text) })
	return start, end, s.list
}

// within gives the place in the text that is nearest to an offset before or at it.
func within(src string, at int) int {
	at = min(max(at, 0), len(src))
	for at > 0 && at < len(src) && !utf8.RuneStart(src[at]) {
		at--
	}
	return at
}

// importPath completes the path in an import.
func (c *Completer) importPath(src string, at, cursor int) (start, end int, list []worker.Completion) {
	line := src[strings.LastIndexByte(src[:at], '\n')+1 : at]
	if src[at] != '"' || !strings.Contains(src[:at], "import") || strings.Trim(line, " \timport(_.") != "" &&
		!strings.HasPrefix(line, "import") {
		return cursor, cursor, nil
	}
	for _, p := range c.packages() {
		if strings.HasPrefix(p, src[at+1:cursor]) {
			list = append(list, worker.Completion{Text: p, Kind: "module"})
		}
	}
	return at + 1, cursor, list
}

// plainPackage is the package whose members are asked for, where no syntax is needed to tell: a
// name and a dot stand before start, and the name nowhere else, so that the cell cannot have
// declared it.
func (c *Completer) plainPackage(src string, start int) *types.Package {
	before, ok := strings.CutSuffix(src[:start], ".")
	if !ok {
		return nil
	}
	at, name := word(before, len(before))
	if !token.IsIdentifier(name) || strings.HasSuffix(strings.TrimRight(src[:at], " \t\n"), ".") ||
		strings.Count(src, name) > 1 {
		return nil
	}
	pkg, _ := c.check.Means(name)
	return pkg
}

// exported lists what a package exports. It is made once: texts of types are most of the work.
func (c *Completer) exported(pkg *types.Package) []worker.Completion {
	c.mu.Lock()
	defer c.mu.Unlock()
	list, ok := c.exports[pkg]
	if !ok {
		for _, name := range pkg.Scope().Names() {
			if x := candidate(pkg.Scope().Lookup(name)); token.IsExported(name) && x.Kind != "" {
				list = append(list, x)
			}
		}
		c.exports[pkg] = list
	}
	return list
}

// matching are the candidates that begin with a prefix, in any case.
func matching(all []worker.Completion, prefix string) (list []worker.Completion) {
	for _, x := range all {
		if hasPrefix(x.Text, prefix) {
			list = append(list, x)
		}
	}
	return list
}

func hasPrefix(name, prefix string) bool {
	return len(name) >= len(prefix) && strings.EqualFold(name[:len(prefix)], prefix)
}

// packages lists the import paths that cells may import.
func (c *Completer) packages() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.paths == nil {
		c.paths = c.check.Packages()
	}
	return c.paths
}
