package exportdata

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed _overlay
var overlay embed.FS

// Source gives the files of a package that is made from source, or the ones of ours that add to it.
func Source(path string) ([]File, error) {
	if FromRelease(path) {
		a, err := Std()
		if err != nil {
			return nil, err
		}
		return a.releaseSource(path)
	}
	name := "_overlay/" + strings.ReplaceAll(path, "/", "_") + ".go"
	text, err := overlay.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("no source for package %s: %w", path, err)
	}
	return []File{{path + ":" + strings.TrimPrefix(name, "_overlay/"), text}}, nil
}
