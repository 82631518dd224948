package export

import (
	"encoding/base64"
	"io/fs"
	"mime"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// prose reads and renders Markdown. Prose of a notebook is its author's own: HTML in it stands, as
// in JupyterLab; what of it would run or fetch, the page's security policy stops.
var prose = sync.OnceValue(func() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(html.WithUnsafe()),
	)
})

// markdownHTML renders Markdown; images that lie in files come into the page.
func markdownHTML(source string, images files) (string, error) {
	m, text := prose(), text.NewReader([]byte(source))
	doc := m.Parser().Parse(text)
	if err := images.embed(doc); err != nil {
		return "", err
	}
	var b strings.Builder
	err := m.Renderer().Render(&b, text.Source(), doc)
	return b.String(), err
}

// files is where a cell's images lie: its attachments, and the files beside the notebook.
type files struct {
	attachments map[string]map[string]any
	beside      fs.FS
}

// embed gives images their content as data URLs. One that lies on the network becomes a link to it:
// the page fetches nothing.
func (f files) embed(doc ast.Node) error {
	var images []*ast.Image
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if i, ok := n.(*ast.Image); ok && entering {
			images = append(images, i)
		}
		return ast.WalkContinue, nil
	})
	for _, i := range images {
		if data, ok := f.data(string(i.Destination)); ok {
			i.Destination = []byte(data)
			continue
		}
		link := ast.NewLink()
		link.Destination, link.Title = i.Destination, i.Title
		for c := i.FirstChild(); c != nil; c = i.FirstChild() {
			link.AppendChild(link, c)
		}
		if !link.HasChildren() {
			link.AppendChild(link, ast.NewString(i.Destination))
		}
		i.Parent().ReplaceChild(i.Parent(), i, link)
	}
	return err
}

// data is an image as a data URL, false where it is not to be had.
func (f files) data(destination string) (string, bool) {
	if strings.HasPrefix(destination, "data:") {
		return destination, true
	}
	u, err := url.Parse(destination)
	if err != nil {
		return "", false
	}
	if u.Scheme == "attachment" {
		name := u.Opaque
		if unescaped, err := url.PathUnescape(name); err == nil {
			name = unescaped
		}
		return attached(f.attachments[name])
	}
	name := path.Clean(u.Path)
	if u.Scheme != "" || u.Host != "" || f.beside == nil || !fs.ValidPath(name) {
		return "", false
	}
	content, err := fs.ReadFile(f.beside, name)
	kind := mime.TypeByExtension(path.Ext(name))
	if err != nil || !strings.HasPrefix(kind, "image/") {
		return "", false
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(content), true
}

// attached is an attachment in its first form that is an image.
func attached(data map[string]any) (string, bool) {
	for _, kind := range []string{"image/png", "image/jpeg", "image/gif", "image/webp"} {
		if _, ok := data[kind]; ok {
			return "data:" + kind + ";base64," + strings.Join(strings.Fields(textOf(data[kind])), ""), true
		}
	}
	if svg, ok := data["image/svg+xml"]; ok {
		return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(textOf(svg))), true
	}
	return "", false
}
