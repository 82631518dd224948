package display

// A Kind says what a column holds, and with that how it is set.
type Kind uint8

const (
	// Text is words: left-aligned.
	Text Kind = iota
	// Number is figures: right-aligned, tabular, integers grouped by thousands.
	Number
	// Code is source text, names, addresses: left-aligned, monospaced.
	Code
	// Label is the name of its row (a th element in HTML).
	Label
)

// Align overrides where a column's Kind puts its cells.
type Align uint8

const (
	// ByKind is what the Kind says.
	ByKind Align = iota
	// Left, Right and Center are themselves.
	Left
	Right
	Center
)

// A Column describes the cells that stand under each other.
type Column struct {
	Title string
	// Unit, where not empty, stands behind the title: "bytes", "µs".
	Unit  string
	Kind  Kind
	Align Align
	// Format, where not empty, is the fmt verb that cells are printed with, "%.2f".
	Format string
}

// DefaultMaxRows is how many rows of a table are shown where Table.MaxRows does not say.
const DefaultMaxRows = 60

// A Table is the one model from which plain text and HTML tables are made. It has a value's shapes
// (Text for text/plain, HTML for text/html), so a cell may end in one.
//
// A cell is any value. Numbers, time.Duration, Bytes, Seconds and fmt.Stringer have their usual
// forms, a nil is an empty cell, a value with an HTML method is used as it stands in HTML. A row
// may be shorter than the columns (the rest is empty) or longer (the rest has no title).
type Table struct {
	Caption string
	// Columns; where no title is set there is no header, which makes a card of names and values.
	Columns []Column
	Rows    [][]any
	// Footer is a last row set apart, for totals. nil: none.
	Footer []any
	// Notes are lines under the table.
	Notes []string
	// MaxRows bounds the rows shown (of the middle, a line tells how many were left out).
	// 0: DefaultMaxRows; negative: all.
	MaxRows int
	// RowsLeftOut counts rows that whoever made the table already left out after Rows.
	RowsLeftOut int
}

// NewTable starts a table of text columns with these titles.
func NewTable(caption string, columns ...Column) *Table {
	return &Table{Caption: caption, Columns: columns}
}

// Card starts a table of names and values without a header.
func Card(caption string) *Table {
	return &Table{Caption: caption, Columns: []Column{{Kind: Label}, {}}}
}

// check refuses a nil table.
func (t *Table) check(call string) {
	if t == nil {
		panic(&ArgumentError{Call: "Table." + call, Want: "a table made by display.NewTable or display.Card", Got: "nil"})
	}
}

// Add appends a row and returns the table.
func (t *Table) Add(cells ...any) *Table {
	t.check("Add")
	t.Rows = append(t.Rows, cells)
	return t
}

// Note appends a line under the table and returns the table.
func (t *Table) Note(line string) *Table {
	t.check("Note")
	t.Notes = append(t.Notes, line)
	return t
}

// MIMEBundle gives the table as text and as HTML.
func (t Table) MIMEBundle() Bundle {
	return Bundle{Data: map[string]any{TypeText: t.Text(), TypeHTML: t.HTML()}}
}

// String is Text.
func (t Table) String() string { return t.Text() }

// width is the number of columns, of which rows may have more than are described.
func (t *Table) width() int {
	n := max(len(t.Columns), len(t.Footer))
	for _, row := range t.Rows {
		n = max(n, len(row))
	}
	return n
}

// column describes column i, also past those that are described.
func (t *Table) column(i int) Column {
	if i < len(t.Columns) {
		return t.Columns[i]
	}
	return Column{}
}

// title is the column's heading with its unit.
func (c Column) title() string {
	if c.Unit == "" {
		return c.Title
	}
	if c.Title == "" {
		return c.Unit
	}
	return c.Title + " (" + c.Unit + ")"
}

// align is where the column's cells stand.
func (c Column) align() Align {
	switch {
	case c.Align != ByKind:
		return c.Align
	case c.Kind == Number:
		return Right
	default:
		return Left
	}
}

// headed reports whether any column has a heading.
func (t *Table) headed() bool {
	for _, c := range t.Columns {
		if c.title() != "" {
			return true
		}
	}
	return false
}

// A span is what is shown of the rows: Rows[:head], a line about left rows, Rows[tail:].
type span struct{ head, left, tail int }

// shown cuts the middle out of a table that is longer than its bound; the last rows stay because
// the end of a series is as telling as its start.
func (t *Table) shown() span {
	n, limit := len(t.Rows), t.MaxRows
	if limit == 0 {
		limit = DefaultMaxRows
	}
	if limit < 0 || n <= limit {
		return span{head: n, left: max(t.RowsLeftOut, 0), tail: n}
	}
	last := limit / 6
	if t.RowsLeftOut > 0 {
		last = 0
	}
	return span{head: limit - last, left: n - limit + max(t.RowsLeftOut, 0), tail: n - last}
}
