package export

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
)

// Prose of a notebook is its author's own: HTML in it stands, as in JupyterLab.
var prose = goldmark.New(
	goldmark.WithExtensions(extension.GFM, extension.Footnote),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(html.WithUnsafe()),
)

func markdownHTML(source string) (string, error) {
	var b strings.Builder
	err := prose.Convert([]byte(source), &b)
	return b.String(), err
}
