package std

import (
	"embed"
	"fmt"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata"
	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

//go:embed _overlay
var overlay embed.FS

// Source gives the files of a package that is made from source, or the ones of ours that add to it.
func Source(path string) ([]exportdata.File, error) {
	if exportdata.FromRelease(path) {
		a, err := Archive()
		if err != nil {
			return nil, err
		}
		return a.Source(path)
	}
	var files []exportdata.File
	for _, release := range []string{"", "_" + strings.ReplaceAll(gorelease.Name, ".", "")} {
		name := strings.ReplaceAll(path, "/", "_") + release + ".go"
		if text, err := overlay.ReadFile("_overlay/" + name); err == nil {
			files = append(files, exportdata.File{Name: path + ":" + name, Text: text})
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no source for package %s", path)
	}
	return files, nil
}
