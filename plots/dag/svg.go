package dag

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
)

// The picture stands on a light card: shown as an image it cannot follow a page's theme.
const (
	cardFill   = "#fcfcfd"
	cardStroke = "#d0d7de"
	inkColor   = "#1f2328"
	faintColor = "#57606a"
	edgeColor  = "#6e7781"
	fontStack  = "'Liberation Sans',Arial,Helvetica,sans-serif"
)

// kindColors are pairs of fill and stroke, given to kinds in the order in which they first appear.
var kindColors = [...][2]string{
	{"#ddebfb", "#0b63c5"}, {"#fbe6d6", "#b34d00"}, {"#dcf1e1", "#1a7f37"}, {"#ebe3fb", "#8250df"},
	{"#fbe0e2", "#cf222e"}, {"#d9eff4", "#0e7490"}, {"#f6ecc9", "#7d5a00"}, {"#f7dfef", "#a8327e"},
}

var plainColors = [2]string{"#eef1f4", "#6e7781"}

func (l *layout) svg(title string) string {
	top := float64(edgeSpace)
	if title != "" {
		top += 30
	}
	width, height := l.size(title, top)
	l.centre(width)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s" font-family="%s" role="img">`,
		num(width), num(height), num(width), num(height), fontStack)
	fmt.Fprintf(&b, "\n<title>%s</title>\n", html.EscapeString(title))
	b.WriteString(`<defs><marker id="vyre-arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">` +
		`<path d="M0 0.5L8 4L0 7.5Z" fill="` + edgeColor + `"/></marker></defs>` + "\n")
	fmt.Fprintf(&b, `<rect x="0.5" y="0.5" width="%s" height="%s" rx="8" fill="%s" stroke="%s"/>`+"\n", num(width-1),
		num(height-1), cardFill, cardStroke)
	if title != "" {
		text(&b, width/2, 28, titleSize, inkColor, "bold", title)
	}
	for _, path := range l.paths {
		l.edge(&b, path, top)
	}
	colors := l.colors()
	for i := range l.steps {
		if l.steps[i].node >= 0 {
			l.box(&b, &l.steps[i], top, colors)
		}
	}
	l.legend(&b, colors, height)
	b.WriteString("</svg>")
	return b.String()
}

// size is that of the card: boxes, bends, the title and the legend are inside.
func (l *layout) size(title string, top float64) (width, height float64) {
	width = textWidth(title, titleSize) * 1.1
	for _, s := range l.steps {
		width = max(width, s.x+s.width/2-edgeSpace)
	}
	height = top + edgeSpace
	if n := len(l.rows); n > 0 {
		height += float64(n)*boxHeight + float64(n-1)*rowGap
	}
	if kinds := l.kinds(); len(kinds) > 1 {
		height += legendHeight
		for _, kind := range kinds {
			width = max(width, legendWidth(kinds[:1+slices.Index(kinds, kind)]))
		}
	}
	return width + 2*edgeSpace, height
}

// centre moves the graph to the middle of a card that its title or its legend made wider.
func (l *layout) centre(width float64) {
	right := 0.0
	for _, s := range l.steps {
		right = max(right, s.x+s.width/2)
	}
	move := (width - edgeSpace - right) / 2
	for i := range l.steps {
		l.steps[i].x += move
	}
}

func y(row int, top float64) float64 { return top + float64(row)*(boxHeight+rowGap) }

// num prints a coordinate with at most one decimal.
func num(v float64) string {
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0")
}

func text(b *strings.Builder, x, y, size float64, color, weight, s string) {
	fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%s" font-weight="%s" fill="%s" text-anchor="middle">%s</text>`+"\n",
		num(x), num(y), num(size), weight, color, html.EscapeString(s))
}

// edge draws one edge as a smooth curve through its bends.
func (l *layout) edge(b *strings.Builder, path []int, top float64) {
	first := l.steps[path[0]]
	fmt.Fprintf(b, `<path d="M%s %s`, num(first.x), num(y(first.row, top)+boxHeight))
	for i := 1; i < len(path); i++ {
		from, to := l.steps[path[i-1]], l.steps[path[i]]
		y0, y1 := y(from.row, top)+boxHeight, y(to.row, top)
		if from.node < 0 {
			fmt.Fprintf(b, "V%s", num(y0))
		}
		if i == len(path)-1 {
			y1--
		}
		mid := (y0 + y1) / 2
		fmt.Fprintf(b, "C%s %s %s %s %s %s", num(from.x), num(mid), num(to.x), num(mid), num(to.x), num(y1))
	}
	fmt.Fprintf(b, `" fill="none" stroke="%s" stroke-width="1.4" marker-end="url(#vyre-arrow)"/>`+"\n", edgeColor)
}

func (l *layout) box(b *strings.Builder, s *step, top float64, colors map[string][2]string) {
	n := l.graph.Nodes[s.node]
	c, at := colors[n.Kind], y(s.row, top)
	fmt.Fprintf(b, `<rect x="%s" y="%s" width="%s" height="%d" rx="6" fill="%s" stroke="%s" stroke-width="1.4"/>`+"\n",
		num(s.x-s.width/2), num(at), num(s.width), boxHeight, c[0], c[1])
	inner := s.width - 2*boxPadding + 4
	if n.Detail == "" {
		text(b, s.x, at+25, labelSize, inkColor, "normal", fit(n.Label, labelSize, inner))
		return
	}
	text(b, s.x, at+17, labelSize, inkColor, "normal", fit(n.Label, labelSize, inner))
	text(b, s.x, at+32, detailSize, faintColor, "normal", fit(n.Detail, detailSize, inner))
}

// kinds lists the kinds in the order in which they first appear.
func (l *layout) kinds() []string {
	var out []string
	for _, n := range l.graph.Nodes {
		if n.Kind != "" && !slices.Contains(out, n.Kind) {
			out = append(out, n.Kind)
		}
	}
	return out
}

func (l *layout) colors() map[string][2]string {
	out := map[string][2]string{"": plainColors}
	for i, kind := range l.kinds() {
		out[kind] = kindColors[i%len(kindColors)]
	}
	return out
}

const legendHeight = 26

func legendWidth(kinds []string) float64 {
	w := 0.0
	for _, kind := range kinds {
		w += 18 + textWidth(kind, detailSize) + 14
	}
	return w
}

// legend names the colours where there are several.
func (l *layout) legend(b *strings.Builder, colors map[string][2]string, height float64) {
	kinds := l.kinds()
	if len(kinds) < 2 {
		return
	}
	for i, kind := range kinds {
		x, at := edgeSpace+legendWidth(kinds[:i]), height-edgeSpace-2
		fmt.Fprintf(b, `<rect x="%s" y="%s" width="12" height="12" rx="3" fill="%s" stroke="%s"/>`+"\n", num(x), num(at-10),
			colors[kind][0], colors[kind][1])
		fmt.Fprintf(b, `<text x="%s" y="%s" font-size="%d" fill="%s">%s</text>`+"\n", num(x+18), num(at), detailSize,
			faintColor, html.EscapeString(kind))
	}
}

// refusal is a picture of a sentence.
func refusal(s string) string {
	w := textWidth(s, labelSize) + 2*edgeSpace
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="44" font-family="%s" role="img">`+
		`<rect x="0.5" y="0.5" width="%s" height="43" rx="8" fill="%s" stroke="%s"/><text x="%d" y="27" font-size="%d" fill="%s">%s</text></svg>`,
		num(w), fontStack, num(w-1), cardFill, cardStroke, edgeSpace, labelSize, inkColor, html.EscapeString(s))
}
