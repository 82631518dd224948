package transport

import "strings"

// z85Digits are the digits of Z85: https://rfc.zeromq.org/spec/32/.
const z85Digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"

// decodeZ85 gives four bytes for each five digits. Errors: *ProtocolError.
func decodeZ85(s string) ([]byte, error) {
	if len(s)%5 != 0 {
		return nil, refuse("Z85 digits", len(s), "a multiple of 5")
	}
	out := make([]byte, 0, len(s)/5*4)
	for ; len(s) > 0; s = s[5:] {
		var v uint64
		for i := range 5 {
			d := strings.IndexByte(z85Digits, s[i])
			if d < 0 {
				return nil, refuse("Z85 digit", s[i:i+1], "one of %s", z85Digits)
			}
			v = v*85 + uint64(d)
		}
		if v > 0xffffffff {
			return nil, refuse("Z85 group", s[:5], "at most 32 bits")
		}
		out = append(out, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	}
	return out, nil
}

// encodeZ85 is the inverse, for a multiple of four bytes.
func encodeZ85(b []byte) string {
	var s strings.Builder
	for ; len(b) >= 4; b = b[4:] {
		v := uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
		for _, p := range []uint32{85 * 85 * 85 * 85, 85 * 85 * 85, 85 * 85, 85, 1} {
			s.WriteByte(z85Digits[v/p%85])
		}
	}
	return s.String()
}
