package display

import (
	"fmt"
	"image"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Bytes is a count of bytes, shown with a binary unit: 16.1 KiB.
type Bytes uint64

var byteUnits = [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// String is the count with three or four digits.
func (b Bytes) String() string {
	if b < 1024 {
		return strconv.FormatUint(uint64(b), 10) + " B"
	}
	v, unit := float64(b), 0
	for v >= 1023.95 && unit < len(byteUnits)-1 {
		v, unit = v/1024, unit+1
	}
	return trimZeros(strconv.FormatFloat(v, 'f', 1, 64)) + " " + byteUnits[unit]
}

// Seconds is a length of time, shown with the unit that leaves three digits: 12.3 µs. Unlike a
// time.Duration it holds parts of a nanosecond.
type Seconds float64

var timeUnits = [...]struct {
	scale float64
	name  string
}{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}, {1e-12, "ps"}}

// String is the time with three digits.
func (s Seconds) String() string {
	v := float64(s)
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return trimZeros(fmt.Sprintf("%g s", v))
	}
	for _, u := range timeUnits {
		if math.Abs(v) >= 0.9995*u.scale || u.scale == 1e-12 {
			return digits3(v/u.scale) + " " + u.name
		}
	}
	return digits3(v) + " s"
}

// digits3 prints v with three significant digits and never fewer than its integer part has.
func digits3(v float64) string {
	a := math.Abs(v)
	switch {
	case a >= 99.95:
		return group(strconv.FormatFloat(v, 'f', 0, 64))
	case a >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case a >= 0.001:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// trimZeros removes ".0".
func trimZeros(s string) string { return strings.TrimSuffix(s, ".0") }

// group sets commas between the thousands of a decimal integer.
func group(s string) string {
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	if len(s) < 4 {
		return sign + s
	}
	first := (len(s)-1)%3 + 1
	var b strings.Builder
	b.WriteString(sign)
	b.WriteString(s[:first])
	for i := first; i < len(s); i += 3 {
		b.WriteByte(',')
		b.WriteString(s[i : i+3])
	}
	return b.String()
}

// Text is a value as a cell of the column prints it.
func (c Column) Text(v any) string { return c.cellText(v) }

// cellText is a cell as one line (or, where the value has line breaks, several lines) of text.
func (c Column) cellText(v any) string {
	if v == nil {
		return ""
	}
	if c.Format != "" {
		if text := guarded(v, "Format", func() string { return fmt.Sprintf(c.Format, v) }); !strings.Contains(text, "%!") {
			return text
		} // the verb is not for this cell (a word among figures): it has its usual form
	}
	switch x := v.(type) {
	case string:
		return boundTo(x, maxCell)
	case time.Duration:
		return Seconds(x.Seconds()).String()
	case SVG:
		return countBytes("SVG", len(x))
	case PNG:
		return countBytes("PNG", len(x))
	}
	if text, ok := ownText(v); ok {
		return boundTo(text, maxCell)
	}
	if img, ok := v.(image.Image); ok && !isNilPointer(v) {
		return imageText(img)
	}
	if taught(reflect.TypeOf(v)) && !isNilPointer(v) {
		return "<" + typeName(reflect.TypeOf(v)) + ">"
	}
	return c.kindText(v)
}

// maxCell bounds the text of a cell.
const maxCell = 1000

// kindText prints a value that says nothing about itself.
func (c Column) kindText(v any) string {
	r := reflect.ValueOf(v)
	switch r.Kind() {
	case reflect.String:
		return boundTo(r.String(), maxCell)
	case reflect.Bool:
		return strconv.FormatBool(r.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return c.integer(strconv.FormatInt(r.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return c.integer(strconv.FormatUint(r.Uint(), 10))
	case reflect.Float32:
		return float(r.Float(), 32)
	case reflect.Float64:
		return float(r.Float(), 64)
	}
	return goTextBounded(v, 200)
}

func (c Column) integer(s string) string {
	if c.Kind == Number {
		return group(s)
	}
	return s
}

// float prints a number shortly where that loses nothing, else with six digits.
func float(v float64, bits int) string {
	if s := strconv.FormatFloat(v, 'g', -1, bits); len(s) <= 8 {
		return s
	}
	return strconv.FormatFloat(v, 'g', 6, bits)
}
