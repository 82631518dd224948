package display

import (
	"fmt"
	"strings"
)

// Text is the table in aligned columns of plain text, with no space at the end of a line.
func (t Table) Text() string {
	g := t.grid()
	var b strings.Builder
	if t.Caption != "" {
		b.WriteString(t.Caption + "\n")
	}
	if g.headed {
		g.line(&b, g.head)
		g.rule(&b)
	}
	for i, row := range g.rows {
		if i == g.cut && g.left > 0 {
			b.WriteString(leftOut(g.left) + "\n")
		}
		g.line(&b, row)
	}
	if g.left > 0 && g.cut >= len(g.rows) {
		b.WriteString(leftOut(g.left) + "\n")
	}
	if t.Footer != nil {
		g.rule(&b)
		g.line(&b, g.foot)
	}
	for _, note := range t.Notes {
		b.WriteString(note + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// leftOut is the line that stands for rows that are not shown.
func leftOut(n int) string {
	if n == 1 {
		return "… 1 row left out"
	}
	return fmt.Sprintf("… %s rows left out", group(fmt.Sprint(n)))
}

// A grid is a table as text: every cell printed, the columns measured.
type grid struct {
	columns    []Column
	widths     []int
	headed     bool
	head, foot []string
	rows       [][]string
	// left rows were left out before rows[cut].
	cut, left int
}

func (t *Table) grid() *grid {
	n, s := t.width(), t.shown()
	g := &grid{columns: make([]Column, n), widths: make([]int, n), headed: t.headed(), cut: s.head, left: s.left}
	titles := make([]any, n)
	for i := range n {
		g.columns[i] = t.column(i)
		titles[i] = g.columns[i].title()
	}
	for _, rows := range [][][]any{t.Rows[:s.head], t.Rows[s.tail:]} {
		for _, row := range rows {
			g.rows = append(g.rows, g.cells(row))
		}
	}
	if g.headed {
		g.head = g.plain(titles)
	}
	if t.Footer != nil {
		g.foot = g.cells(t.Footer)
	}
	return g
}

// cells prints a row and widens the columns to hold it.
func (g *grid) cells(row []any) []string {
	out := make([]string, len(g.columns))
	for i, v := range row {
		out[i] = g.columns[i].cellText(v)
	}
	return g.measure(out)
}

func (g *grid) plain(row []any) []string {
	out := make([]string, len(g.columns))
	for i, v := range row {
		out[i], _ = v.(string)
	}
	return g.measure(out)
}

func (g *grid) measure(cells []string) []string {
	for i, cell := range cells {
		for line := range strings.SplitSeq(cell, "\n") {
			g.widths[i] = max(g.widths[i], Width(line))
		}
	}
	return cells
}

// gap stands between two columns.
const gap = "  "

func (g *grid) rule(b *strings.Builder) {
	parts := make([]string, len(g.widths))
	for i, w := range g.widths {
		parts[i] = strings.Repeat("─", w)
	}
	b.WriteString(strings.TrimRight(strings.Join(parts, gap), " ") + "\n")
}

// line writes one row, which is as many lines as its tallest cell.
func (g *grid) line(b *strings.Builder, cells []string) {
	split, height := make([][]string, len(cells)), 1
	for i, cell := range cells {
		split[i] = strings.Split(cell, "\n")
		height = max(height, len(split[i]))
	}
	for y := range height {
		parts := make([]string, len(cells))
		for i, lines := range split {
			cell := ""
			if y < len(lines) {
				cell = lines[y]
			}
			parts[i] = pad(clean(cell), g.widths[i], g.columns[i].align())
		}
		b.WriteString(strings.TrimRight(strings.Join(parts, gap), " ") + "\n")
	}
}

// pad sets s in w columns.
func pad(s string, w int, a Align) string {
	free := max(w-Width(s), 0)
	switch a {
	case Right:
		return strings.Repeat(" ", free) + s
	case Center:
		return strings.Repeat(" ", free/2) + s + strings.Repeat(" ", free-free/2)
	default:
		return s + strings.Repeat(" ", free)
	}
}
