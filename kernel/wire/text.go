package wire

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// AppendText appends text as a JSON string, as Encode does with the string: what is no UTF-8
// becomes U+FFFD. What cells print goes through it, by the hundred megabytes: package encoding/json
// takes twice the time.
func AppendText(b, text []byte) []byte {
	b = append(b, '"')
	for {
		n := unescapedLen(text)
		b = append(b, text[:n]...)
		if text = text[n:]; len(text) == 0 {
			return append(b, '"')
		}
		b, n = appendEscaped(b, text)
		text = text[n:]
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// unescapedLen is how many bytes text begins with that stand for themselves in a JSON string.
func unescapedLen(text []byte) (n int) {
	for ; len(text)-n >= 8; n += 8 {
		var word [8]byte
		copy(word[:], text[n:])
		x := binary.LittleEndian.Uint64(word[:])
		quote, slash := x^ones*'"', x^ones*'\\'
		// The high bit of each byte that is below a space, a quote, a backslash or no ASCII: exact
		// for the lowest such byte, as borrows go up.
		if special := ((x - ones*' ') | (quote - ones) | (slash - ones) | x) & highs; special != 0 {
			return n + bits.TrailingZeros64(special)/8
		}
	}
	for n < len(text) && text[n] >= ' ' && text[n] != '"' && text[n] != '\\' && text[n] < utf8.RuneSelf {
		n++
	}
	return n
}

// short are the control characters that have an escape of their own.
var short = [utf8.RuneSelf]byte{'"': '"', '\\': '\\', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't'}

const digits = "0123456789abcdef"

// appendEscaped appends the first character of text, which is not plain, and tells how long it is.
func appendEscaped(b, text []byte) ([]byte, int) {
	c := text[0]
	if c < utf8.RuneSelf {
		if s := short[c]; s != 0 {
			return append(b, '\\', s), 1
		}
		return append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15]), 1
	}
	r, n := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError && n == 1:
		return append(b, `\ufffd`...), 1
	case r == '\u2028' || r == '\u2029': // which end lines in JavaScript
		return append(b, '\\', 'u', '2', '0', '2', digits[r&15]), n
	}
	return append(b, text[:n]...), n
}
