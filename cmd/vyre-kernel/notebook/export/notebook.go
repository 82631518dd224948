package export

// A Notebook is an nbformat 4 document.
type Notebook struct {
	Cells    []Cell
	Metadata map[string]any
	// Minor is nbformat_minor; from 5 on cells have ids.
	Minor int
	// Extra holds members that nbformat does not know; they are kept.
	Extra map[string]any
}

// Cell types.
const (
	Code     = "code"
	Markdown = "markdown"
	Raw      = "raw"
)

// A Cell is one of a notebook. ExecutionCount and Outputs belong to code cells.
type Cell struct {
	ID       string
	Type     string
	Source   string
	Metadata map[string]any
	// Attachments are files of a Markdown cell by name, each keyed by MIME type as Output.Data is.
	Attachments    map[string]map[string]any
	ExecutionCount *int
	Outputs        []Output
	// Extra holds members that nbformat does not know; they are kept.
	Extra map[string]any
}

// Output types.
const (
	Stream        = "stream"
	DisplayData   = "display_data"
	ExecuteResult = "execute_result"
	Error         = "error"
)

// An Output is one of a code cell; which fields count is said by Type.
type Output struct {
	Type string
	// Name (stdout or stderr) and Text belong to a stream.
	Name, Text string
	// Data, keyed by MIME type, and Metadata belong to display_data and execute_result: strings for
	// text and for base64 of binary types, any JSON value for JSON types.
	Data           map[string]any
	Metadata       map[string]any
	ExecutionCount *int
	// ErrorName, ErrorValue and Traceback belong to an error.
	ErrorName, ErrorValue string
	Traceback             []string
	// Extra holds members that nbformat does not know; they are kept.
	Extra map[string]any
}

// Tags are the words that a cell's metadata carries under "tags".
func (c *Cell) Tags() []string {
	list, _ := c.Metadata["tags"].([]any)
	var tags []string
	for _, t := range list {
		if s, ok := t.(string); ok {
			tags = append(tags, s)
		}
	}
	return tags
}

// Language is what the notebook says its code is written in, "go" where it says nothing.
func (n *Notebook) Language() string {
	for _, key := range []string{"language_info", "kernelspec"} {
		info, _ := n.Metadata[key].(map[string]any)
		for _, field := range []string{"name", "language"} {
			if key == "kernelspec" && field == "name" {
				continue // that is the kernel's name, not the language's
			}
			if s, ok := info[field].(string); ok && s != "" {
				return s
			}
		}
	}
	return "go"
}
