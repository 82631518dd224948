package image

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// shownWords is how many words of a column a card shows.
const shownWords = 8

// Table is the image as people look at it: a row a column, with its place in the slab and its first words.
func (m *Image) Table() display.Table {
	m.made("Image.Table")
	t := display.Table{Caption: m.String(), Columns: []display.Column{{Title: "column"},
		{Title: "byte offset", Kind: display.Number}, {Title: "words", Kind: display.Number},
		{Title: "begins", Kind: display.Code}}}
	if err := m.Check(); err != nil {
		t.Note(err.Error())
	}
	for c, s := range m.Layout.Spans {
		t.Add(Column(c).String(), s.Offset, s.Bytes/4, m.begins(s))
	}
	return t
}

// begins shows the first words of a span, as far as the slab has them.
func (m *Image) begins(s Span) string {
	from := min(s.Offset/4, uint64(len(m.Slab)))
	words := m.Slab[from:min(max(from, s.End()/4), uint64(len(m.Slab)))]
	if len(words) > shownWords {
		return fmt.Sprint(words[:shownWords]) + "…"
	}
	return fmt.Sprint(words)
}

// String tells the size of the image.
func (m *Image) String() string {
	m.made("Image.String")
	l := &m.Layout
	return fmt.Sprintf("image of %d rows of %d operators, %d children, %d classes: %d bytes",
		l.Rows, len(m.Ops), l.Children, l.Groups, 4*len(m.Slab))
}
