package tree

import (
	"go/ast"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxCode    = 120 // columns, a tab as one
	maxComment = 100
)

// wide are the folders, with those in them, whose lines are not short yet. It may only shrink.
var wide = []string{
	"cuda", "egraph", "interp/engine/yaegi", "interp/gorelease",
}

// TestLinesAreShort holds code that is written by hand to 120 columns and comments to 100. A line
// that is long because of one string is left: a string that is cut cannot be found.
func TestLinesAreShort(t *testing.T) {
	found := map[string]bool{}
	for _, f := range files(t) {
		if f.generated || f.test() || ignored(f) {
			continue
		}
		in := slices.IndexFunc(wide, func(folder string) bool {
			return strings.HasPrefix(f.path, folder+"/")
		})
		if long := longLines(f); in >= 0 && len(long) > 0 {
			found[wide[in]] = true
		} else {
			for _, l := range long {
				t.Errorf("%s:%d: more than %d columns, in a comment than %d", f.path, l, maxCode, maxComment)
			}
		}
	}
	for _, folder := range wide {
		if !found[folder] {
			t.Errorf("lines of %s are short: take it out of wide", folder)
		}
	}
}

// longLines are the numbers of the lines that are too long.
func longLines(f *file) (numbers []int) {
	within := longStrings(f)
	for i, line := range strings.Split(f.text, "\n") {
		limit := maxCode
		if strings.HasPrefix(strings.TrimLeft(line, "\t"), "//") {
			limit = maxComment
		}
		if utf8.RuneCountInString(line) > limit && !within[i+1] && !unbreakable(line) {
			numbers = append(numbers, i+1)
		}
	}
	return numbers
}

// unbreakable reports whether a comment is a directive, or code or a picture in a comment.
func unbreakable(line string) bool {
	text, ok := strings.CutPrefix(strings.TrimLeft(line, "\t"), "//")
	return ok && (!strings.HasPrefix(text, " ") || strings.HasPrefix(text, "   ") || strings.Contains(text, "\t") ||
		!strings.Contains(strings.TrimSpace(text), " "))
}

// longStrings are the lines that hold a raw string, or one of most of their width.
func longStrings(f *file) map[int]bool {
	found := map[int]bool{}
	set := token.NewFileSet()
	source := set.AddFile(f.path, -1, len(f.text))
	var s scanner.Scanner
	s.Init(source, []byte(f.text), nil, 0)
	for {
		at, tok, lit := s.Scan()
		if tok == token.EOF {
			return found
		}
		if tok == token.STRING && (lit[0] == '`' || len(lit) > maxComment) {
			first := source.Line(at)
			for n := range 1 + strings.Count(lit, "\n") {
				found[first+n] = true
			}
		}
	}
}

// unsaid are words that Go's own library has others for.
var unsaid = regexp.MustCompile(`\b(tells|says) whether\b`)

// TestWords holds doc comments to the words of Go's own library.
func TestWords(t *testing.T) {
	for _, f := range files(t) {
		if f.generated || f.folder() == "lawtest/tree" || room(f.path) == "egraph" || f.folder() == "cuda" {
			continue
		}
		for _, g := range f.syntax.Comments {
			if word := unsaid.FindString(unwrapped(g)); word != "" {
				t.Errorf("%s: %q: reports whether", f.set.Position(g.Pos()), word)
			}
		}
	}
}

func unwrapped(g *ast.CommentGroup) string { return strings.Join(strings.Fields(g.Text()), " ") }
