package display

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// tableStyle follows JupyterLab's theme through its variables; on a page without them it takes the
// page's own colour and a grey that is visible on light and dark alike. It stands inside every
// table, so that an output copied elsewhere keeps its looks; what a sanitiser would break (the
// alignment) stands at the cells. The selectors are specific enough to win over JupyterLab's own
// for tables in outputs (.jp-OutputArea-output.jp-RenderedHTMLCommon table), which centre, fix
// widths and align to the right.
const tableStyle = `<style>` +
	`div.vyre-output table.vyre-table{border-spacing:0;border-collapse:collapse;border:0;margin:.4em 0;font-size:var(--jp-content-font-size1,14px);` +
	`font-family:var(--jp-content-font-family,system-ui,sans-serif);color:var(--jp-content-font-color1,inherit);table-layout:auto}` +
	`div.vyre-output table.vyre-table caption{text-align:left;caption-side:top;font-weight:600;padding:.2em .7em;color:var(--jp-content-font-color1,inherit)}` +
	`div.vyre-output table.vyre-table th,div.vyre-output table.vyre-table td{padding:.25em .7em;border:0;vertical-align:top;font-variant-numeric:tabular-nums;white-space:pre-wrap;max-width:none}` +
	`div.vyre-output table.vyre-table thead th{font-weight:600;border-bottom:1px solid var(--jp-border-color1,rgba(128,128,128,.6));vertical-align:bottom;white-space:nowrap}` +
	`div.vyre-output table.vyre-table tbody th{font-weight:500;color:var(--jp-content-font-color2,inherit)}` +
	`div.vyre-output table.vyre-table tbody tr{background:transparent}` +
	`div.vyre-output table.vyre-table tbody tr:nth-child(even){background:var(--jp-rendermime-table-row-background,rgba(128,128,128,.1))}` +
	`div.vyre-output table.vyre-table tbody tr:hover{background:var(--jp-rendermime-table-row-hover-background,rgba(128,128,128,.2))}` +
	`div.vyre-output table.vyre-table tfoot td,div.vyre-output table.vyre-table tfoot th{border-top:1px solid var(--jp-border-color1,rgba(128,128,128,.6));font-weight:600}` +
	`div.vyre-output table.vyre-table code{font-family:var(--jp-code-font-family,ui-monospace,monospace);color:inherit;background:none;padding:0;white-space:pre-wrap}` +
	`div.vyre-output .vyre-note{font-size:var(--jp-content-font-size0,12px);color:var(--jp-content-font-color2,inherit);padding:0 .7em}` +
	`</style>`

// HTML is the table as a fragment that carries its own style.
func (t Table) HTML() string {
	n, s := t.width(), t.shown()
	var b strings.Builder
	b.WriteString(`<div class="vyre-output">` + tableStyle + `<table class="vyre-table">`)
	if t.Caption != "" {
		style := ""
		if Width(t.Caption) <= shortCaption { // narrow tables broke it
			style = ` style="white-space:nowrap"`
		}
		b.WriteString("<caption" + style + ">" + html.EscapeString(t.Caption) + "</caption>")
	}
	if t.headed() {
		b.WriteString("<thead><tr>")
		for i := range n {
			c := t.column(i)
			fmt.Fprintf(&b, `<th scope="col" style="text-align:%s">%s</th>`, c.align().css(), html.EscapeString(c.title()))
		}
		b.WriteString("</tr></thead>")
	}
	b.WriteString("<tbody>")
	t.htmlRows(&b, t.Rows[:s.head], n)
	if s.left > 0 {
		fmt.Fprintf(&b, `<tr><td colspan="%d" style="text-align:center">%s</td></tr>`, max(n, 1), leftOut(s.left))
	}
	t.htmlRows(&b, t.Rows[s.tail:], n)
	b.WriteString("</tbody>")
	if t.Footer != nil {
		b.WriteString("<tfoot>")
		t.htmlRows(&b, [][]any{t.Footer}, n)
		b.WriteString("</tfoot>")
	}
	b.WriteString("</table>")
	for _, note := range t.Notes {
		b.WriteString(`<div class="vyre-note">` + html.EscapeString(note) + `</div>`)
	}
	b.WriteString("</div>")
	return b.String()
}

func (t *Table) htmlRows(b *strings.Builder, rows [][]any, n int) {
	for _, row := range rows {
		b.WriteString("<tr>")
		for i := range n {
			var cell any
			if i < len(row) {
				cell = row[i]
			}
			t.column(i).htmlCell(b, cell)
		}
		b.WriteString("</tr>")
	}
}

// shortCaption is how wide a caption is at most that stands on one line.
const shortCaption = 60

// longCell is how wide a text is that needs room: beside many columns it had a word a line.
const longCell = 40

// htmlCell writes one cell; a value with an HTML form of its own is trusted to be a fragment.
func (c Column) htmlCell(b *strings.Builder, v any) {
	tag, scope := "td", ""
	if c.Kind == Label {
		tag, scope = "th", ` scope="row"`
	}
	text, isHTML := cellHTML(v)
	style := "text-align:" + c.align().css()
	if !isHTML {
		plain := clean(c.cellText(v))
		if Width(plain) > longCell {
			style += ";min-width:18em"
		}
		if slices.ContainsFunc(strings.Fields(plain), func(word string) bool { return Width(word) > longCell }) {
			style += ";overflow-wrap:anywhere" // or the table is as wide as the word
		}
		text = html.EscapeString(plain)
		if c.Kind == Code && text != "" {
			text = "<code>" + text + "</code>"
		}
	}
	fmt.Fprintf(b, `<%s%s style="%s">%s</%s>`, tag, scope, style, text, tag)
}

func cellHTML(v any) (string, bool) {
	switch x := v.(type) {
	case HTML:
		return string(x), true
	case SVG:
		return string(x), true
	case PNG:
		return `<img alt="" src="` + x.DataURL() + `">`, true
	case Table:
		return x.HTML(), true
	case HTMLer:
		return fragment(x, "HTML", x.HTML), true
	case SVGer:
		return fragment(x, "SVG", x.SVG), true
	}
	return pieceHTML(v)
}

// fragment is what a method of a cell's value gives, or why it does not, which is text and no
// fragment.
func fragment(v any, method string, f func() string) (out string) {
	if problem := try(v, method, func() { out = f() }); problem != "" {
		return html.EscapeString(problem)
	}
	return out
}

func (a Align) css() string {
	switch a {
	case Right:
		return "right"
	case Center:
		return "center"
	default:
		return "left"
	}
}
