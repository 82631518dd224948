package export

import (
	"encoding/json"
	"io"
	"strings"
)

// Write lays a notebook down as nbformat does: keys sorted, one space of indentation, text as a list of
// its lines, a newline at the end.
func Write(w io.Writer, n *Notebook) error {
	cells := make([]any, len(n.Cells))
	for i := range n.Cells {
		cells[i] = n.Cells[i].document(n.Minor)
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(map[string]any{"cells": cells, "metadata": orEmpty(n.Metadata), "nbformat": 4, "nbformat_minor": n.Minor})
}

func (c *Cell) document(minor int) map[string]any {
	m := map[string]any{"cell_type": c.Type, "metadata": orEmpty(c.Metadata), "source": lines(c.Source)}
	if c.ID != "" && minor >= 5 {
		m["id"] = c.ID
	}
	if len(c.Attachments) > 0 {
		m["attachments"] = c.Attachments
	}
	if c.Type == Code {
		outputs := make([]any, len(c.Outputs))
		for i := range c.Outputs {
			outputs[i] = c.Outputs[i].document()
		}
		m["execution_count"], m["outputs"] = c.ExecutionCount, outputs
	}
	return m
}

func (o *Output) document() map[string]any {
	m := map[string]any{"output_type": o.Type}
	switch o.Type {
	case Stream:
		m["name"], m["text"] = o.Name, lines(o.Text)
	case Error:
		traceback := o.Traceback
		if traceback == nil {
			traceback = []string{}
		}
		m["ename"], m["evalue"], m["traceback"] = o.ErrorName, o.ErrorValue, traceback
	default:
		data := map[string]any{}
		for mime, value := range o.Data {
			if s, ok := value.(string); ok && !isJSON(mime) && !isBinary(mime) {
				value = lines(s)
			}
			data[mime] = value
		}
		m["data"], m["metadata"] = data, orEmpty(o.Metadata)
		if o.Type == ExecuteResult {
			m["execution_count"] = o.ExecutionCount
		}
	}
	return m
}

// isBinary tells the types whose text is one base64 string.
func isBinary(mime string) bool {
	return strings.HasPrefix(mime, "image/") && mime != "image/svg+xml" || mime == "application/pdf"
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// lines splits text after each newline; an empty text has none.
func lines(s string) []string {
	if s == "" {
		return []string{}
	}
	l := strings.SplitAfter(s, "\n")
	if l[len(l)-1] == "" {
		l = l[:len(l)-1]
	}
	return l
}
