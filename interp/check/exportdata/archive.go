package exportdata

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxEntry bounds what one file may decompress to: a damaged archive is an error, not a full
// memory.
const maxEntry = 64 << 20

// An Archive is what gen wrote, for one platform: several zip files with different names in them.
type Archive struct {
	files map[string]*zip.File
}

// Open reads the directories of the parts of an archive, and nothing else of them.
func Open(parts ...[]byte) (*Archive, error) {
	a := &Archive{files: map[string]*zip.File{}}
	for i, part := range parts {
		z, err := zip.NewReader(bytes.NewReader(part), int64(len(part)))
		if err != nil {
			return nil, fmt.Errorf("export data archive, part %d of %d: %w", i+1, len(parts), err)
		}
		for _, f := range z.File {
			a.files[f.Name] = f
		}
	}
	return a, nil
}

// Has reports whether the archive has the package.
func (a *Archive) Has(path string) bool { return a.files[ExportName(path)] != nil }

// Packages lists the import paths, in order.
func (a *Archive) Packages() []string {
	var paths []string
	for name := range a.files {
		if path, ok := strings.CutPrefix(name, ExportName("")); ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// Export is the package's export data, for gcexportdata.Read.
func (a *Archive) Export(path string) ([]byte, error) { return a.read(ExportName(path)) }

// Needs lists the packages made from source that the export data may name.
func (a *Archive) Needs(path string) ([]string, error) {
	if a.files[NeedsName(path)] == nil {
		return nil, nil
	}
	data, err := a.read(NeedsName(path))
	return strings.Fields(string(data)), err
}

// Docs is the package's documentation, empty where there is none.
func (a *Archive) Docs(path string) (Docs, error) {
	if a.files[DocName(path)] == nil {
		return nil, nil
	}
	data, err := a.read(DocName(path))
	if err != nil {
		return nil, err
	}
	return decodeDocs(data)
}

// A File is one Go source file.
type File struct {
	Name string
	Text []byte
}

// HasSource reports whether the archive has source of the package: all of it, or its generic files.
func (a *Archive) HasSource(path string) bool {
	for name := range a.files {
		if strings.HasPrefix(name, sourceDir(path)) {
			return true
		}
	}
	return false
}

// Source gives the files of a package whose source is in the archive, stripped of what is not
// generic.
func (a *Archive) Source(path string) ([]File, error) {
	var files []File
	for name := range a.files {
		if strings.HasPrefix(name, sourceDir(path)) {
			text, err := a.read(name)
			if err != nil {
				return nil, err
			}
			files = append(files, File{strings.TrimPrefix(name, "source/"), text})
		}
	}
	slices.SortFunc(files, func(x, y File) int { return strings.Compare(x.Name, y.Name) })
	return files, nil
}

func (a *Archive) read(name string) ([]byte, error) {
	f := a.files[name]
	if f == nil {
		return nil, fmt.Errorf("export data archive has no %s", name)
	}
	if f.UncompressedSize64 > maxEntry {
		return nil, fmt.Errorf("export data archive: %s is %d bytes, more than %d", name, f.UncompressedSize64, maxEntry)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("export data archive: %s: %w", name, err)
	}
	defer r.Close()
	data := make([]byte, f.UncompressedSize64)
	if _, err := io.ReadFull(r, data); err != nil {
		return nil, fmt.Errorf("export data archive: %s: %w", name, err)
	}
	return data, nil
}
