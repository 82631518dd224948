package display

import "encoding/base64"

// Values that are their own representation: what a cell writes to show a fragment as it stands.
type (
	// HTML is a fragment of HTML.
	HTML string
	// Markdown is Markdown text.
	Markdown string
	// LaTeX is LaTeX with its math delimiters.
	LaTeX string
	// SVG is a whole svg element.
	SVG string
	// PNG is an encoded PNG image.
	PNG []byte
	// JPEG is an encoded JPEG image.
	JPEG []byte
	// JSON is a value that encoding/json can encode, shown as a tree.
	JSON struct{ Value any }
)

func textual(mime, text, plain string) Bundle {
	return Bundle{Data: map[string]any{mime: text, TypeText: plain}}
}

// MIMEBundle shows the fragment; its source is the plain text.
func (h HTML) MIMEBundle() Bundle { return textual(TypeHTML, string(h), string(h)) }

// MIMEBundle shows the text; its source is the plain text.
func (m Markdown) MIMEBundle() Bundle { return textual(TypeMarkdown, string(m), string(m)) }

// MIMEBundle shows the formulas; their source is the plain text.
func (l LaTeX) MIMEBundle() Bundle { return textual(TypeLaTeX, string(l), string(l)) }

// MIMEBundle shows the picture.
func (s SVG) MIMEBundle() Bundle { return textual(TypeSVG, string(s), countBytes("SVG", len(s))) }

// MIMEBundle shows the picture.
func (p PNG) MIMEBundle() Bundle {
	return Bundle{Data: map[string]any{TypePNG: []byte(p), TypeText: countBytes("PNG", len(p))}}
}

// MIMEBundle shows the picture.
func (j JPEG) MIMEBundle() Bundle {
	return Bundle{Data: map[string]any{TypeJPEG: []byte(j), TypeText: countBytes("JPEG", len(j))}}
}

// MIMEBundle shows the tree; its Go syntax is the plain text.
func (j JSON) MIMEBundle() Bundle {
	return Bundle{Data: map[string]any{TypeJSON: j.Value, TypeText: goText(j.Value)}}
}

// DataURL is the image as a data: URL, for an img element inside a fragment of HTML.
func (p PNG) DataURL() string {
	return "data:" + TypePNG + ";base64," + base64.StdEncoding.EncodeToString(p)
}

func countBytes(what string, n int) string { return what + " image, " + Bytes(n).String() }
