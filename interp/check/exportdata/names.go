package exportdata

import (
	"slices"
	"strings"
)

// The names of a package's files in an archive.
func ExportName(path string) string       { return "export/" + path }
func NeedsName(path string) string        { return "needs/" + path }
func DocName(path string) string          { return "doc/" + path }
func SourceName(path, file string) string { return sourceDir(path) + file }
func sourceDir(path string) string        { return "source/" + path + ":" }

// fromRelease are the packages whose source is the Go release's own. The bodies of functions that
// are not generic are taken out of it.
var fromRelease = []string{"cmp", "maps", "slices", "sync/atomic"}

// rewritten are the generic packages whose source is ours whole.
var rewritten = []string{"iter", "unique", "weak"}

// extended are packages that have generic functions beside others: those come from source of ours,
// everything else from export data.
var extended = []string{
	"crypto/hkdf", "crypto/pbkdf2", "database/sql", "errors", "hash/maphash", "math/rand/v2", "reflect", "runtime", "sync",
}

// FromRelease reports whether the whole package is made from the release's source.
func FromRelease(path string) bool { return slices.Contains(fromRelease, path) }

// FromSource reports whether the whole package is made from source.
func FromSource(path string) bool { return FromRelease(path) || slices.Contains(rewritten, path) }

// Extended reports whether source of ours takes the place of the package's generic names.
func Extended(path string) bool { return slices.Contains(extended, path) }

// SourcePackages lists the packages that are made from source whole.
func SourcePackages() []string { return slices.Concat(fromRelease, rewritten) }

// ExtendedPackages lists the packages that source of ours adds to.
func ExtendedPackages() []string { return slices.Clone(extended) }

// GenericFile reports whether a file of a package beside the standard library's is one whose
// generic functions cells can instantiate: generic.go, or a name that ends in _generic.go. Its
// source is in the archive.
func GenericFile(name string) bool {
	return name == "generic.go" || strings.HasSuffix(name, "_generic.go")
}
