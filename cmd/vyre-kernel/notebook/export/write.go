package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
)

// Write lays a notebook down as nbformat does: keys sorted, one space of indentation, text as a
// list of its lines, a newline at the end. From nbformat 4.5 on a cell without an id is given one.
func Write(w io.Writer, n *Notebook) error {
	cells := make([]any, len(n.Cells))
	ids := n.ids()
	for i := range n.Cells {
		cells[i] = n.Cells[i].document(ids[i])
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(with(n.Extra, map[string]any{
		"cells": cells, "metadata": orEmpty(n.Metadata), "nbformat": 4, "nbformat_minor": n.Minor,
	})); err != nil {
		return err
	}
	_, err := w.Write(plainSeparators(b.Bytes()))
	return err
}

// plainSeparators undoes what encoding/json does to U+2028 and U+2029 and Python's json does not.
func plainSeparators(text []byte) []byte {
	if !bytes.Contains(text, []byte(`\u202`)) {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			out = append(out, text[i])
			continue
		}
		switch rest := string(text[i:min(i+6, len(text))]); rest {
		case `\u2028`:
			out = append(out, "\u2028"...)
			i += 5
		case `\u2029`:
			out = append(out, "\u2029"...)
			i += 5
		default: // the escape and what it escapes, so that a backslash itself is passed over
			out = append(out, text[i], text[i+1])
			i++
		}
	}
	return out
}

// ids are the cells' own, and for those without one the first free of cell-1, cell-2 and so on: the
// same ids whenever the notebook is written again. Before nbformat 4.5 there are none.
func (n *Notebook) ids() []string {
	ids := make([]string, len(n.Cells))
	if n.Minor < 5 {
		return ids
	}
	taken := map[string]bool{}
	for i := range n.Cells {
		ids[i] = n.Cells[i].ID
		taken[ids[i]] = true
	}
	next := 1
	for i := range ids {
		for ids[i] == "" {
			if id := fmt.Sprint("cell-", next); !taken[id] {
				ids[i] = id
			}
			next++
		}
	}
	return ids
}

// with is extra and, over it, the members that are known.
func with(extra, known map[string]any) map[string]any {
	m := maps.Clone(extra)
	if m == nil {
		return known
	}
	maps.Copy(m, known)
	return m
}

func (c *Cell) document(id string) map[string]any {
	m := map[string]any{"cell_type": c.Type, "metadata": orEmpty(c.Metadata), "source": lines(c.Source)}
	if id != "" {
		m["id"] = id
	}
	if c.Attachments != nil {
		files := map[string]any{}
		for name, data := range c.Attachments {
			files[name] = split(data)
		}
		m["attachments"] = files
	}
	if c.Type == Code {
		outputs := make([]any, len(c.Outputs))
		for i := range c.Outputs {
			outputs[i] = c.Outputs[i].document()
		}
		m["execution_count"], m["outputs"] = c.ExecutionCount, outputs
	}
	return with(c.Extra, m)
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
		m["data"], m["metadata"] = split(o.Data), orEmpty(o.Metadata)
		if o.Type == ExecuteResult {
			m["execution_count"] = o.ExecutionCount
		}
	}
	return with(o.Extra, m)
}

// split cuts the texts of a bundle into lines.
func split(data map[string]any) map[string]any {
	out := map[string]any{}
	for mime, value := range data {
		if s, ok := value.(string); ok && inLines(mime) {
			value = lines(s)
		}
		out[mime] = value
	}
	return out
}

// inLines tells the types that nbformat cuts into lines (v4/rwbase.py).
func inLines(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "application/javascript" || mime == "image/svg+xml"
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// lines cuts text after each end of a line; an empty text has none. What ends a line is what
// Python's str.splitlines takes for it, since that is what the files that Jupyter writes were cut
// by.
func lines(s string) []string {
	list := []string{}
	for s != "" {
		i := strings.IndexAny(s, "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029")
		if i < 0 {
			return append(list, s)
		}
		end := i + 1
		for end < len(s) && s[end]&0xC0 == 0x80 { // the rest of a character of several bytes
			end++
		}
		if s[i] == '\r' && strings.HasPrefix(s[end:], "\n") {
			end++
		}
		list, s = append(list, s[:end]), s[end:]
	}
	return list
}
