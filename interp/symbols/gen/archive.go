package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"

	"github.com/vyre-kernel/vyre-kernel/interp/check/exportdata"
)

// entries are the files of one platform's archive.
type entries map[string][]byte

// writeArchives splits what the platforms have into three kinds of archive: prefix.zip for what is
// the same on all, prefix_OS.zip for what is the same on all of an OS, prefix_OS_ARCH.zip. All are
// written, empty ones too, so that what embeds them always finds them.
func writeArchives(prefix string, of map[platform]entries) error {
	split := map[string]entries{"": {}}
	for _, p := range platforms {
		split["_"+p.os], split["_"+p.os+"_"+p.arch] = orEmpty(split["_"+p.os]), entries{}
	}
	for p, all := range of {
		for name, data := range all {
			split[share(p, name, data, of)][name] = data
		}
	}
	for suffix, e := range split {
		if err := os.WriteFile(prefix+suffix+".zip", zipped(e), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func orEmpty(e entries) entries {
	if e == nil {
		return entries{}
	}
	return e
}

// share says which archive an entry of platform p belongs to.
func share(p platform, name string, data []byte, of map[platform]entries) string {
	everywhere, sameOS := true, true
	for q, all := range of {
		if !bytes.Equal(all[name], data) {
			everywhere = false
			sameOS = sameOS && q.os != p.os
		}
	}
	switch {
	case everywhere:
		return ""
	case sameOS:
		return "_" + p.os
	}
	return "_" + p.os + "_" + p.arch
}

// zipped is deterministic: sorted names, no times.
func zipped(e entries) []byte {
	var names []string
	for name := range e {
		names = append(names, name)
	}
	slices.Sort(names)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, name := range names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err == nil {
			_, err = w.Write(e[name])
		}
		if err != nil {
			panic(err) // a bytes.Buffer takes everything
		}
	}
	z.Close()
	return b.Bytes()
}

// exports adds a package's export data, the list of source packages that it reaches, and its
// documentation.
func (e entries) exports(w *world, s *source) error {
	var b bytes.Buffer
	if err := gcexportdata.Write(&b, nil, s.types); err != nil {
		return err
	}
	e[exportdata.ExportName(s.ImportPath)] = b.Bytes()
	if needs := w.sourceNeeds(s); len(needs) > 0 {
		e[exportdata.NeedsName(s.ImportPath)] = []byte(strings.Join(needs, "\n"))
	}
	doc, err := exportdata.EncodeDocs(docs(s))
	e[exportdata.DocName(s.ImportPath)] = doc
	return err
}

// writeStdArchives writes the archives of this release's standard library, and what embeds them.
func writeStdArchives(dir string) error {
	r, err := thisRelease()
	if err != nil {
		return err
	}
	of := map[platform]entries{}
	for _, p := range platforms {
		w, err := load(p, "std")
		if err != nil {
			return err
		}
		e := entries{}
		for _, s := range w.order {
			if !s.public() {
				continue
			}
			if err := e.exports(w, s); err != nil {
				return err
			}
			if err := e.sources(s); err != nil {
				return err
			}
		}
		of[p] = e
	}
	if err := writeArchives(filepath.Join(dir, "std"+r.suffix()), of); err != nil {
		return err
	}
	return writeEmbeds(embeds{
		dir: ".", file: "embed" + r.suffix(), archive: filepath.Join(dir, "std"+r.suffix()),
		variable: "std", constraint: r.constraint(),
	})
}
