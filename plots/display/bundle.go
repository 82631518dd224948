package display

// The MIME types that a notebook front end knows best.
const (
	TypeText     = "text/plain"
	TypeHTML     = "text/html"
	TypeMarkdown = "text/markdown"
	TypeLaTeX    = "text/latex"
	TypeSVG      = "image/svg+xml"
	TypePNG      = "image/png"
	TypeJPEG     = "image/jpeg"
	TypeJSON     = "application/json"
)

// A Bundle is one value in several representations, keyed by MIME type.
//
// Data values are strings for textual types, []byte for binary ones (encoded as base64 on the wire)
// and any JSON-encodable value for JSON types; of what Render gives, these are json.RawMessage.
// Metadata is keyed by MIME type as well (the width and height in CSS pixels of an image, say); it
// may be nil.
type Bundle struct {
	Data     map[string]any
	Metadata map[string]any
}
