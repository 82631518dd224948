package export

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"strings"
)

// A FormatError says why a document is not a notebook that can be read.
type FormatError struct {
	// Where names the place: "line 3, column 7" of the text, or "cells[2].outputs[0]" of the
	// document.
	Where string
	Want  string
	Found string
	// Advice says what to do, where something can be done.
	Advice string
}

func (e *FormatError) Error() string {
	s := fmt.Sprintf("not a notebook: at %s: want %s, found %s", e.Where, e.Want, e.Found)
	if e.Advice != "" {
		s += " (" + e.Advice + ")"
	}
	return s
}

// MaxBytes is the largest document that Read takes.
const MaxBytes = 1 << 30

// Read reads an nbformat 4 document. The error is a *FormatError, or the reader's own.
func Read(r io.Reader) (*Notebook, error) {
	text, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > MaxBytes {
		return nil, &FormatError{Where: "the end", Want: fmt.Sprintf("at most %d bytes", MaxBytes), Found: "more"}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // 1 stays 1 and a large integer keeps its digits when the document is written again
	var root any
	if err := d.Decode(&root); err != nil {
		return nil, syntaxError(text, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, &FormatError{Where: position(text, d.InputOffset()), Want: "the end of the document", Found: "more text"}
	}
	return fromDocument(root)
}

func syntaxError(text []byte, err error) error {
	e := &FormatError{Where: "the end", Want: "JSON", Found: err.Error()}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		e.Where = position(text, syntax.Offset-1) // the offset lies behind the byte that was wrong
	}
	if len(bytes.TrimSpace(text)) == 0 {
		e.Found = "an empty file"
	}
	return e
}

func position(text []byte, offset int64) string {
	before := text[:min(int64(len(text)), max(0, offset))]
	return fmt.Sprintf("line %d, column %d", 1+bytes.Count(before, []byte("\n")),
		len(before)-bytes.LastIndexByte(before, '\n'))
}

func fromDocument(root any) (*Notebook, error) {
	d := decoder{}
	top := d.object("the top", root)
	if d.err != nil {
		return nil, d.err
	}
	if major, ok := integer(top["nbformat"]); !ok {
		return nil, &FormatError{Where: "nbformat", Want: "4", Found: kindOf(top["nbformat"])}
	} else if major != 4 {
		return nil, &FormatError{Where: "nbformat", Want: "4", Found: fmt.Sprint(major),
			Advice: "jupyter nbconvert --to notebook converts older ones"}
	}
	n := &Notebook{Metadata: without(d.optionalObject("metadata", top["metadata"]), "orig_nbformat", "orig_nbformat_minor",
		"signature"),
		Extra: without(top, "cells", "metadata", "nbformat", "nbformat_minor")}
	if v, there := top["nbformat_minor"]; there { // nbformat too takes 0 where it is absent
		minor, ok := integer(v)
		if !ok || minor < 0 {
			return nil, &FormatError{Where: "nbformat_minor", Want: "a number", Found: kindOf(v)}
		}
		n.Minor = minor
	}
	for i, c := range d.list("cells", top["cells"]) {
		n.Cells = append(n.Cells, d.cell(fmt.Sprintf("cells[%d]", i), c))
	}
	if d.err != nil {
		return nil, d.err
	}
	return n, nil
}

// A decoder keeps the first thing that was not as it should be.
type decoder struct{ err error }

func (d *decoder) refuse(where, want string, found any) {
	if d.err == nil {
		d.err = &FormatError{Where: where, Want: want, Found: kindOf(found)}
	}
}

func (d *decoder) object(where string, v any) map[string]any {
	m, ok := v.(map[string]any)
	if !ok {
		d.refuse(where, "an object", v)
	}
	return m
}

func (d *decoder) optionalObject(where string, v any) map[string]any {
	if v == nil {
		return map[string]any{}
	}
	return d.object(where, v)
}

func (d *decoder) list(where string, v any) []any {
	l, ok := v.([]any)
	if !ok {
		d.refuse(where, "a list", v)
	}
	return l
}

// text takes a string or the list of its lines.
func (d *decoder) text(where string, v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	l, ok := v.([]any)
	if !ok {
		d.refuse(where, "a string or a list of strings", v)
	}
	var b strings.Builder
	for i, line := range l {
		s, ok := line.(string)
		if !ok {
			d.refuse(fmt.Sprintf("%s[%d]", where, i), "a string", line)
		}
		b.WriteString(s)
	}
	return b.String()
}

func (d *decoder) word(where string, v any, allowed ...string) string {
	s, ok := v.(string)
	for _, a := range allowed {
		if ok && s == a {
			return s
		}
	}
	if ok {
		v = fmt.Sprintf("%.40q", s)
	}
	d.refuse(where, strings.Join(allowed, " or "), v)
	return ""
}

func (d *decoder) cell(where string, v any) Cell {
	m := d.object(where, v)
	if d.err != nil {
		return Cell{}
	}
	c := Cell{
		Type:     d.word(where+".cell_type", m["cell_type"], Code, Markdown, Raw),
		Source:   d.text(where+".source", m["source"]),
		Metadata: without(d.optionalObject(where+".metadata", m["metadata"]), "trusted"),
		Extra:    without(m, "cell_type", "source", "metadata", "id", "attachments"),
	}
	c.ID, _ = m["id"].(string)
	c.Attachments = d.attachments(where+".attachments", m["attachments"])
	if c.Type != Code || d.err != nil {
		return c
	}
	c.Extra = without(c.Extra, "execution_count", "outputs")
	c.ExecutionCount = d.count(where+".execution_count", m["execution_count"])
	if m["outputs"] == nil {
		return c
	}
	for i, o := range d.list(where+".outputs", m["outputs"]) {
		c.Outputs = append(c.Outputs, d.output(fmt.Sprintf("%s.outputs[%d]", where, i), o))
	}
	return c
}

func (d *decoder) output(where string, v any) Output {
	m := d.object(where, v)
	if d.err != nil {
		return Output{}
	}
	o := Output{Type: d.word(where+".output_type", m["output_type"], Stream, DisplayData, ExecuteResult, Error)}
	o.Extra = without(m, membersOf[o.Type]...)
	switch o.Type {
	case Stream:
		o.Name = d.word(where+".name", m["name"], "stdout", "stderr")
		o.Text = d.text(where+".text", m["text"])
	case Error:
		o.ErrorName, _ = m["ename"].(string)
		o.ErrorValue, _ = m["evalue"].(string)
		for i, line := range d.list(where+".traceback", m["traceback"]) {
			o.Traceback = append(o.Traceback, d.text(fmt.Sprintf("%s.traceback[%d]", where, i), line))
		}
	default:
		o.Data = d.data(where+".data", m["data"])
		o.Metadata = d.optionalObject(where+".metadata", m["metadata"])
		if o.Type == ExecuteResult {
			o.ExecutionCount = d.count(where+".execution_count", m["execution_count"])
		}
	}
	return o
}

// membersOf lists what nbformat knows of each type of output.
var membersOf = map[string][]string{
	Stream:        {"output_type", "name", "text"},
	Error:         {"output_type", "ename", "evalue", "traceback"},
	DisplayData:   {"output_type", "data", "metadata"},
	ExecuteResult: {"output_type", "data", "metadata", "execution_count"},
}

// without is a copy of m that lacks some members.
func without(m map[string]any, names ...string) map[string]any {
	rest := maps.Clone(m)
	for _, name := range names {
		delete(rest, name)
	}
	return rest
}

// attachments are nil where there are none.
func (d *decoder) attachments(where string, v any) map[string]map[string]any {
	if v == nil {
		return nil
	}
	out := map[string]map[string]any{}
	for name, bundle := range d.object(where, v) {
		out[name] = d.data(where+"["+name+"]", bundle)
	}
	return out
}

func (d *decoder) data(where string, v any) map[string]any {
	data := map[string]any{}
	for mime, value := range d.object(where, v) {
		if !isJSON(mime) {
			value = d.text(where+"["+mime+"]", value)
		}
		data[mime] = value
	}
	return data
}

// isJSON tells the MIME types whose values are JSON themselves, not text in lines.
func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
}

func integer(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return int(i), err == nil
}

// count takes a number or nothing.
func (d *decoder) count(where string, v any) *int {
	if n, ok := integer(v); ok {
		return &n
	}
	if v != nil {
		d.refuse(where, "a whole number or null", v)
	}
	return nil
}

func kindOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case bool, json.Number:
		return fmt.Sprintf("%.40s", fmt.Sprint(v))
	case string:
		return fmt.Sprintf("the string %.60s", v)
	}
	return fmt.Sprintf("%T", v)
}
