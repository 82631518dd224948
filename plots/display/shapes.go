package display

// The shapes: a value that has one of these methods says how it wants to be seen. They are matched
// by method, so a type declared in a cell or in a package that never heard of this one can have
// them.
type (
	// MIMEBundler answers for itself in full. Where text/plain is absent from the answer it is
	// added.
	MIMEBundler interface{ MIMEBundle() Bundle }
	// HTMLer gives a fragment of HTML, no document.
	HTMLer interface{ HTML() string }
	// Markdowner gives Markdown.
	Markdowner interface{ Markdown() string }
	// LaTeXer gives LaTeX with its math delimiters.
	LaTeXer interface{ LaTeX() string }
	// SVGer gives a whole svg element.
	SVGer interface{ SVG() string }
	// PNGer gives an encoded PNG image.
	PNGer interface{ PNG() ([]byte, error) }
	// JSONer gives a value that encoding/json can encode, to be shown as a tree.
	JSONer interface{ JSON() any }
	// Tabler gives a table, shown as text and as HTML.
	Tabler interface{ Table() Table }
)
