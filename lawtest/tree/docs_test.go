package tree

import (
	"go/ast"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// manyFiles is from how many files on a doc.go has to tell the way to each.
const manyFiles = 25

// unsorted are the folders whose files do not tell their family yet. It may only shrink.
var unsorted = map[string]bool{"cuda/ptx": true}

var (
	// fileName is a file, or with a star several: parse.go, parse_*.go, testdata/laws.txt.
	fileName = regexp.MustCompile(`[\w*/.-]*[\w*]\.(go|ptx|cu|s)\b`)
	// family is a prefix of files: mem_, or mem_*.go.
	family = regexp.MustCompile(`(?:^|[\s(,*])(\w+_)(?:$|[\s,:;.)]|\*)`)
)

// TestDocNamesFilesThatExist compares the file names in each doc.go with the files.
func TestDocNamesFilesThatExist(t *testing.T) {
	for _, f := range files(t) {
		if filepath.Base(f.path) != "doc.go" || f.syntax.Doc == nil {
			continue
		}
		for _, name := range fileName.FindAllString(prose(f.syntax.Doc), -1) {
			if strings.HasPrefix(name, "runtime/") || exists(f.folder(), name) {
				continue
			}
			t.Errorf("%s names %s, which does not exist", f.path, name)
		}
	}
}

// prose is a comment without its indented blocks: those are code.
func prose(g *ast.CommentGroup) string {
	var b strings.Builder
	for line := range strings.Lines(g.Text()) {
		if !strings.HasPrefix(line, "\t") || strings.Contains(line, ".go") && !strings.Contains(line, "(") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// exists looks for a file in a folder, below it, and from the root.
func exists(folder, name string) bool {
	for _, pattern := range []string{
		filepath.Join(root, folder, name), filepath.Join(root, folder, "testdata", name), filepath.Join(root, name),
		filepath.Join(root, folder, "*", name),
	} {
		if found, err := filepath.Glob(pattern); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// TestDocTellsTheWayToEachFile is that the doc.go of a large folder names each file, or the family
// that the beginning of its name tells.
func TestDocTellsTheWayToEachFile(t *testing.T) {
	for folder := range unsorted {
		if len(packages(t)[folder]) <= manyFiles {
			t.Errorf("%s need not be in unsorted any more", folder)
		}
	}
	for folder, all := range packages(t) {
		if len(all) <= manyFiles {
			continue
		}
		b, err := os.ReadFile(filepath.Join(root, folder, "doc.go"))
		if err != nil {
			t.Errorf("%s has %d files and no doc.go", folder, len(all))
			continue
		}
		var lost []string
		for _, f := range all {
			if base := filepath.Base(f.path); !f.generated && base != "doc.go" && !told(string(b), base) {
				lost = append(lost, base)
			}
		}
		slices.Sort(lost)
		if len(lost) == 0 && unsorted[folder] {
			t.Errorf("%s tells the way to each file: take it out of unsorted", folder)
		}
		if len(lost) > 0 && !unsorted[folder] {
			t.Errorf("%s/doc.go (%d files) tells the way to neither of: %s", folder, len(all), strings.Join(lost, " "))
		}
	}
}

// told reports whether a doc.go names a file or its family.
func told(doc, base string) bool {
	text := strings.ReplaceAll(doc, "//", " ")
	names := map[string]bool{}
	for _, n := range fileName.FindAllString(text, -1) {
		names[n] = true
	}
	for name := range maps.Keys(names) {
		if ok, _ := filepath.Match(name, base); ok {
			return true
		}
	}
	if general, _, ok := strings.Cut(strings.TrimSuffix(base, ".go"), "_"); ok && names[general+".go"] {
		return true // of a system, or of a part
	}
	return slices.ContainsFunc(family.FindAllStringSubmatch(text, -1), func(m []string) bool {
		return strings.HasPrefix(base, m[1]) || base == strings.TrimSuffix(m[1], "_")+".go"
	})
}
