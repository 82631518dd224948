package export

import (
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"io"
	"io/fs"
	"strings"
	"sync"
)

//go:embed page.html
var pageSource string

//go:embed page.css
var pageCSS string

// page is parsed when it is first needed: the binary that holds this package must start quickly.
var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageSource)) })

// Options of a page.
type Options struct {
	// Title of the page; empty: the notebook's first heading.
	Title string
	// Note is a line at the foot of the page: what executed it, and when.
	Note string
	// Files is the folder in which the notebook lies, for images that its prose shows. nil: those
	// become links.
	Files fs.FS
}

type pageCell struct {
	Type    string
	Count   string
	Body    template.HTML
	Outputs []template.HTML
}

// HTML writes the notebook as one page with everything in it: no script, no reference to anywhere
// else.
func HTML(w io.Writer, n *Notebook, options Options) error {
	title := options.Title
	if title == "" {
		title = n.Title()
	}
	cells := make([]pageCell, len(n.Cells))
	var err error
	for i := range n.Cells {
		if cells[i], err = n.Cells[i].page(n.Language(), options.Files); err != nil {
			return fmt.Errorf("cell %d: %w", i+1, err)
		}
	}
	return page().Execute(w, map[string]any{
		"Title": title, "Note": options.Note, "Cells": cells,
		"CSS": template.CSS(pageCSS),
	})
}

func (c *Cell) page(language string, beside fs.FS) (pageCell, error) {
	p := pageCell{Type: c.Type}
	switch c.Type {
	case Markdown:
		body, err := markdownHTML(c.Source, files{c.Attachments, beside})
		p.Body = template.HTML(body)
		return p, err
	case Raw:
		p.Body = template.HTML(html.EscapeString(c.Source))
		return p, nil
	}
	if c.ExecutionCount != nil {
		p.Count = fmt.Sprint(*c.ExecutionCount)
	}
	p.Body = template.HTML(codeHTML(c.Source, language))
	for i := range c.Outputs {
		o, err := outputHTML(&c.Outputs[i])
		if err != nil {
			return p, err
		}
		p.Outputs = append(p.Outputs, template.HTML(o))
	}
	return p, nil
}

// Title is the notebook's first heading, "Notebook" where it has none.
func (n *Notebook) Title() string {
	for i := range n.Cells {
		if n.Cells[i].Type != Markdown {
			continue
		}
		for line := range strings.Lines(n.Cells[i].Source) {
			if text, ok := strings.CutPrefix(strings.TrimSpace(line), "# "); ok {
				return text
			}
		}
	}
	return "Notebook"
}
