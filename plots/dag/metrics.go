package dag

import "github.com/vyre-kernel/vyre-kernel/plots/display"

// widths are the advances of ASCII from space to tilde in Helvetica, in thousandths of the size, as
// Adobe's font metrics give them; Arial and Liberation Sans have the same.
var widths = [...]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
	556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667,
	944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722,
	500, 500, 500, 334, 260, 334, 584,
}

// textWidth is the width of a text of a size in pixels.
func textWidth(s string, size float64) float64 {
	sum := 0
	for _, r := range s {
		if r >= ' ' && int(r-' ') < len(widths) {
			sum += widths[r-' ']
		} else {
			sum += 600 * display.Width(string(r))
		}
	}
	return float64(sum) * size / 1000
}

// fit cuts a text that is wider than most.
func fit(s string, size, most float64) string {
	if textWidth(s, size) <= most {
		return s
	}
	runes := []rune(s)
	for len(runes) > 0 && textWidth(string(runes)+"…", size) > most {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// The sizes of text.
const (
	labelSize  = 13
	detailSize = 11
	titleSize  = 15
	boxPadding = 12
)

func boxWidth(n Node) float64 {
	w := max(textWidth(n.Label, labelSize), textWidth(n.Detail, detailSize))
	return min(max(w+2*boxPadding, minBox), maxBox)
}
