package display

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// maxColumns bounds what a table shows of wide things: a note tells how many columns were left out.
const maxColumns = 30

// bounded is how many of n columns a table shows; the note goes under it.
func bounded(t *Table, n int) int {
	if n > maxColumns {
		t.Note(fmt.Sprintf("… %s columns left out", group(strconv.Itoa(n-maxColumns))))
	}
	return min(n, maxColumns)
}

// tabular makes a table of a value whose parts are alike. asText says that the table is also its
// best text; else Go's syntax is.
func tabular(v any) (t *Table, asText, ok bool) {
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Pointer && !r.IsNil() {
		r = r.Elem()
	}
	switch r.Kind() {
	case reflect.Struct:
		t = structCard(r)
		return t, false, t != nil
	case reflect.Slice, reflect.Array:
		return listTable(r)
	case reflect.Map:
		t, asText = mapTable(r)
		return t, asText, t != nil
	}
	return nil, false, false
}

// fields lists the exported fields, those of embedded structs in their place.
func fields(t reflect.Type) []reflect.StructField {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || speaks(t) {
		return nil
	}
	var out []reflect.StructField
	for _, f := range reflect.VisibleFields(t) {
		if f.IsExported() && !(f.Anonymous && f.Type.Kind() == reflect.Struct && !speaks(f.Type)) && reachable(t, f.Index) {
			out = append(out, f)
		}
	}
	return out
}

// reachable reports whether no unexported or pointer embedding lies on the way to a field.
func reachable(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		f := t.Field(i)
		if !f.IsExported() || f.Type.Kind() != reflect.Struct {
			return false
		}
		t = f.Type
	}
	return true
}

var (
	errorType    = reflect.TypeFor[error]()
	stringerType = reflect.TypeFor[fmt.Stringer]()
	durationType = reflect.TypeFor[time.Duration]()
)

// speaks reports whether values of t have a text of their own, so that taking them apart would tell
// less.
func speaks(t reflect.Type) bool { return t.Implements(errorType) || t.Implements(stringerType) }

func kindOf(t reflect.Type) Kind {
	if k := t.Kind(); k >= reflect.Int && k <= reflect.Complex128 && (!speaks(t) || t == durationType) {
		return Number
	}
	return Text
}

func structCard(v reflect.Value) *Table {
	list := fields(v.Type())
	if len(list) < 2 {
		return nil
	}
	t := Card(typeName(v.Type()))
	for _, f := range list {
		t.Add(f.Name, cellOf(v.FieldByIndex(f.Index)))
	}
	return t
}

// cellOf is a field or element as a cell.
func cellOf(v reflect.Value) any {
	if !v.IsValid() || !v.CanInterface() {
		return nil
	}
	return v.Interface()
}

func listTable(v reflect.Value) (*Table, bool, bool) {
	if v.Len() == 0 {
		return nil, false, false
	}
	elem := v.Type().Elem()
	if elem.Kind() == reflect.Interface {
		if same := sameDynamic(v); same.IsValid() {
			return listTable(same)
		}
		return nil, false, false
	}
	if list := fields(elem); len(list) > 0 {
		return structTable(v, list), true, true
	}
	switch {
	case elem.Kind() == reflect.Map && elem.Key().Kind() == reflect.String:
		t := recordTable(v)
		return t, true, t != nil
	case (elem.Kind() == reflect.Slice || elem.Kind() == reflect.Array) && isScalar(elem.Elem().Kind()) &&
		elem.Elem().Kind() != reflect.Uint8,
		elem.Kind() == reflect.Slice && elem.Elem().Kind() == reflect.Interface && scalarElements(v):
		t := matrixTable(v)
		return t, false, t != nil
	}
	return nil, false, false
}

// sameDynamic is a list of interfaces as one of what all of them hold, where that is maps or lists
// of one type, as of JSON that was decoded; else it is not valid.
func sameDynamic(v reflect.Value) (same reflect.Value) {
	if !v.CanInterface() {
		return same
	}
	t := v.Index(0).Elem()
	if !t.IsValid() || t.Kind() != reflect.Map && t.Kind() != reflect.Slice {
		return same
	}
	for i := range v.Len() {
		if e := v.Index(i).Elem(); !e.IsValid() || e.Type() != t.Type() {
			return same
		}
	}
	list := reflect.MakeSlice(reflect.SliceOf(t.Type()), v.Len(), v.Len())
	for i := range v.Len() {
		list.Index(i).Set(v.Index(i).Elem())
	}
	return list
}

// scalarElements reports whether all lists of a list of lists of interfaces hold plain values, or
// nothing.
func scalarElements(v reflect.Value) bool {
	for i := range v.Len() {
		for j := range v.Index(i).Len() {
			if e := v.Index(i).Index(j).Elem(); e.IsValid() && !isScalar(e.Kind()) {
				return false
			}
		}
	}
	return true
}

// rows calls add for as many elements as a table shows.
func rows(t *Table, n int, add func(i int)) *Table {
	for i := range min(n, DefaultMaxRows) {
		add(i)
	}
	t.RowsLeftOut = n - min(n, DefaultMaxRows)
	return t
}

func structTable(v reflect.Value, list []reflect.StructField) *Table {
	t := &Table{}
	list = list[:bounded(t, len(list))]
	for _, f := range list {
		t.Columns = append(t.Columns, Column{Title: f.Name, Kind: kindOf(f.Type)})
	}
	return rows(t, v.Len(), func(i int) { t.Rows = append(t.Rows, fieldCells(v.Index(i), list)) })
}

func fieldCells(v reflect.Value, list []reflect.StructField) []any {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return []any{"nil"}
		}
		v = v.Elem()
	}
	cells := make([]any, len(list))
	for i, f := range list {
		cells[i] = cellOf(v.FieldByIndex(f.Index))
	}
	return cells
}

// recordTable has a column a key that any of the maps has.
func recordTable(v reflect.Value) *Table {
	var records []reflect.Value
	for i := range min(v.Len(), DefaultMaxRows) {
		records = append(records, v.Index(i))
	}
	t := &Table{}
	names := t.recordColumns(records)
	if len(names) == 0 {
		return nil
	}
	return rows(t, v.Len(), func(i int) { t.Rows = append(t.Rows, recordCells(records[i], names)) })
}

// recordColumns adds a column for each key that any of the maps has, and gives their names.
func (t *Table) recordColumns(records []reflect.Value) (names []string) {
	kinds := map[string]Kind{}
	for _, r := range records {
		for i := r.MapRange(); i.Next(); {
			name := i.Key().String()
			if _, known := kinds[name]; !known {
				names = append(names, name)
				kinds[name] = valueKind(i.Value())
			}
		}
	}
	slices.Sort(names)
	names = names[:bounded(t, len(names))]
	for _, name := range names {
		t.Columns = append(t.Columns, Column{Title: name, Kind: kinds[name]})
	}
	return names
}

func recordCells(record reflect.Value, names []string) []any {
	cells := make([]any, len(names))
	for i, name := range names {
		cells[i] = cellOf(record.MapIndex(reflect.ValueOf(name).Convert(record.Type().Key())))
	}
	return cells
}

// valueKind looks through an interface.
func valueKind(v reflect.Value) Kind {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return Text
	}
	return kindOf(v.Type())
}

func matrixTable(v reflect.Value) *Table {
	width := 0
	for i := range v.Len() {
		width = max(width, v.Index(i).Len())
	}
	if width == 0 {
		return nil
	}
	t := &Table{}
	width = bounded(t, width)
	t.Columns = make([]Column, width)
	for i := range width {
		t.Columns[i].Kind = matrixKind(v, i)
	}
	return rows(t, v.Len(), func(i int) {
		cells := make([]any, min(v.Index(i).Len(), width))
		for j := range cells {
			cells[j] = cellOf(v.Index(i).Index(j))
		}
		t.Rows = append(t.Rows, cells)
	})
}

// matrixKind is that of a column: of interfaces that of the first value.
func matrixKind(v reflect.Value, column int) Kind {
	if elem := v.Type().Elem().Elem(); elem.Kind() != reflect.Interface {
		return kindOf(elem)
	}
	for i := range v.Len() {
		if row := v.Index(i); column < row.Len() && !row.Index(column).IsNil() {
			return valueKind(row.Index(column))
		}
	}
	return Text
}

func mapTable(v reflect.Value) (*Table, bool) {
	if v.Len() == 0 || !isScalar(v.Type().Key().Kind()) {
		return nil, false
	}
	all, elem := entries(v), v.Type().Elem()
	list := fields(elem)
	t := &Table{Columns: []Column{{Title: "key", Kind: Label}}}
	var cells func(v reflect.Value) []any
	switch {
	case len(list) > 0:
		list = list[:bounded(t, len(list))]
		for _, f := range list {
			t.Columns = append(t.Columns, Column{Title: f.Name, Kind: kindOf(f.Type)})
		}
		cells = func(v reflect.Value) []any { return fieldCells(v, list) }
	case elem.Kind() == reflect.Map && elem.Key().Kind() == reflect.String && isScalar(elem.Elem().Kind()):
		var records []reflect.Value
		for _, e := range all[:min(len(all), DefaultMaxRows)] {
			records = append(records, e.value)
		}
		names := t.recordColumns(records)
		cells = func(v reflect.Value) []any { return recordCells(v, names) }
	default:
		t.Columns = append(t.Columns, Column{Title: "value", Kind: kindOf(elem)})
		cells = func(v reflect.Value) []any { return []any{cellOf(v)} }
	}
	rows(t, v.Len(), func(i int) { t.Rows = append(t.Rows, append([]any{cellOf(all[i].key)}, cells(all[i].value)...)) })
	return t, len(list) > 0
}
