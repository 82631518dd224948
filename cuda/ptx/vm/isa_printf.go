package vm

import (
	"fmt"
	"math"
	"strings"
)

// format does C's printf for a lane: args is the generic address of the packed
// arguments. It gives the text and the number of conversions, or -1.
func (b *block) format(l int, text string, args uint64) (string, int) {
	var out strings.Builder
	n := 0
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			out.WriteByte(text[i])
			continue
		}
		spec, rest := conversion(text[i:])
		i += len(text[i:]) - len(rest) - 1
		if spec.verb == '%' {
			out.WriteByte('%')
			continue
		}
		spec.stars(func() int64 { return int64(int32(b.argument(l, &args, 4))) })
		size := spec.argumentSize()
		if size == 0 {
			out.WriteString(spec.text)
			continue
		}
		out.WriteString(b.convert(l, spec, b.argument(l, &args, size), size))
		n++
	}
	return out.String(), n
}

// argument reads the next argument, aligned to its size.
func (b *block) argument(l int, args *uint64, size uint64) uint64 {
	*args = (*args + size - 1) &^ (size - 1)
	raw := b.generic(l, *args, size)
	*args += size
	var v uint64
	for i, c := range raw {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// spec is one conversion of a format.
type spec struct {
	text   string
	flags  string // with width and precision
	length string
	verb   byte
}

// conversion cuts one conversion from the front of s, which begins with %.
func conversion(s string) (spec, string) {
	i := 1
	for i < len(s) && strings.IndexByte("-+ #0123456789.*", s[i]) >= 0 {
		i++
	}
	flags := s[1:i]
	j := i
	for j < len(s) && strings.IndexByte("hlzjt", s[j]) >= 0 {
		j++
	}
	if j >= len(s) {
		return spec{text: s, verb: 0}, ""
	}
	return spec{text: s[:j+1], flags: flags, length: s[i:j], verb: s[j]}, s[j+1:]
}

// stars puts arguments in the place of * for width and precision.
func (s *spec) stars(next func() int64) {
	for strings.Contains(s.flags, "*") {
		s.flags = strings.Replace(s.flags, "*", fmt.Sprint(next()), 1)
	}
}

func (s *spec) argumentSize() uint64 {
	switch s.verb {
	case 'd', 'i', 'u', 'x', 'X', 'o':
		if strings.Contains(s.length, "l") || s.length == "z" || s.length == "j" || s.length == "t" {
			return 8
		}
		return 4
	case 'c':
		return 4
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A', 's', 'p':
		return 8
	}
	return 0
}

// convert writes one value as C does.
func (b *block) convert(l int, s spec, v uint64, size uint64) string {
	f := "%" + s.flags
	switch s.verb {
	case 'd', 'i':
		if size == 4 {
			return fmt.Sprintf(f+"d", int32(v))
		}
		return fmt.Sprintf(f+"d", int64(v))
	case 'u':
		return fmt.Sprintf(f+"d", v)
	case 'x', 'X', 'o':
		return fmt.Sprintf(f+string(s.verb), v)
	case 'c':
		return fmt.Sprintf(f+"s", string([]byte{byte(v)}))
	case 's':
		text, _ := b.cString(l, v)
		if v == 0 {
			text = "(null)"
		}
		return fmt.Sprintf(f+"s", text)
	case 'p':
		return fmt.Sprintf("0x%x", v)
	}
	return floatText(f, s.verb, math.Float64frombits(v))
}

// floatText spells floating-point numbers as C does, whose exponents and
// infinities differ from Go's.
func floatText(f string, verb byte, x float64) string {
	switch {
	case math.IsInf(x, 1):
		return "inf"
	case math.IsInf(x, -1):
		return "-inf"
	case x != x:
		return "nan"
	}
	if (verb == 'g' || verb == 'G') && !strings.Contains(f, ".") {
		f += ".6"
	}
	if verb == 'a' || verb == 'A' {
		verb += 'x' - 'a'
	}
	return fmt.Sprintf(f+string(verb), x)
}
