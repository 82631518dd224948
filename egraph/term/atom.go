package term

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// An Atom is a leaf: a symbol, or an exact rational number in lowest terms. Atoms compare with ==.
type Atom struct {
	text     string // a symbol's name, or a number too large for num and den
	num, den int64  // den > 0: the number num/den; den < 0: the number in text; den == 0: a symbol
}

// Symbol is the atom of a name. A name that reads as a number is that number. What cannot be a name is refused
// where the atom is added to a graph.
func Symbol(name string) Atom {
	if a, ok := parseNumber(name); ok {
		return a
	}
	return Atom{text: name}
}

// Name is the symbol of a name whatever it reads as: Name("1") is not the number 1, and prints as "1" in quotes.
func Name(name string) Atom { return Atom{text: name} }

// Int is the atom of an integer.
func Int(v int64) Atom { return Atom{num: v, den: 1} }

// Rational is the atom of an exact rational; of nil it panics with a *MalformedError.
func Rational(v *big.Rat) Atom {
	if v == nil {
		panic(&MalformedError{"the rational is nil"})
	}
	if v.Num().IsInt64() && v.Denom().IsInt64() {
		return Atom{num: v.Num().Int64(), den: v.Denom().Int64()}
	}
	return Atom{text: v.RatString(), den: -1}
}

// IsNumber reports whether the atom is a number.
func (a Atom) IsNumber() bool { return a.den != 0 }

// IsZero reports whether the atom is the number 0.
func (a Atom) IsZero() bool { return a.den > 0 && a.num == 0 }

// Int64 gives the number, if it is an integer that fits.
func (a Atom) Int64() (int64, bool) { return a.num, a.den == 1 }

// Rat gives the number, nil for a symbol. The caller owns it.
func (a Atom) Rat() *big.Rat {
	switch {
	case a.den > 0:
		return big.NewRat(a.num, a.den)
	case a.den < 0:
		r, _ := new(big.Rat).SetString(a.text)
		return r
	}
	return nil
}

// String is the atom as it is read back: 7, 1/3, x, "two words".
func (a Atom) String() string {
	if a.den == 0 {
		return spelledLeaf(a.text)
	}
	return a.Text()
}

// Text is a number, or a symbol's name without quotes.
func (a Atom) Text() string {
	switch {
	case a.den == 1:
		return strconv.FormatInt(a.num, 10)
	case a.den > 1:
		return fmt.Sprintf("%d/%d", a.num, a.den)
	}
	return a.text
}

// Check refuses an atom that no graph takes, by a *NameError.
func (a Atom) Check() error {
	if a.den != 0 && len(a.text) <= MaxName {
		return nil
	}
	return CheckName(a.text)
}

// parseNumber reads [+-]digits, digits/digits and digits.digits; anything else is no number.
func parseNumber(s string) (Atom, bool) {
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 || body == "" || body[0] < '0' || body[0] > '9' {
		return Atom{}, false
	}
	marks := 0
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '/' || c == '.':
			marks++
			if i == len(body)-1 {
				return Atom{}, false
			}
		case c < '0' || c > '9':
			return Atom{}, false
		}
	}
	if marks == 0 && len(body) < 18 {
		v, err := strconv.ParseInt(s, 10, 64)
		return Int(v), err == nil
	}
	r, ok := new(big.Rat).SetString(s)
	if marks > 1 || !ok {
		return Atom{}, false
	}
	return Rational(r), true
}

// Add is exact, as Sub, Mul and Div are; it answers false for symbols.
func (a Atom) Add(b Atom) (Atom, bool) {
	if a.den == 1 && b.den == 1 {
		if s := a.num + b.num; (s > a.num) == (b.num > 0) {
			return Int(s), true
		}
	}
	return a.exact(b, (*big.Rat).Add)
}

// Sub is as Add.
func (a Atom) Sub(b Atom) (Atom, bool) {
	if a.den == 1 && b.den == 1 {
		if s := a.num - b.num; (s < a.num) == (b.num > 0) {
			return Int(s), true
		}
	}
	return a.exact(b, (*big.Rat).Sub)
}

// Mul is as Add.
func (a Atom) Mul(b Atom) (Atom, bool) {
	if a.den == 1 && b.den == 1 && a.num != math.MinInt64 && b.num != math.MinInt64 {
		if hi, lo := bits.Mul64(magnitude(a.num), magnitude(b.num)); hi == 0 && lo <= math.MaxInt64 {
			return Int(a.num * b.num), true
		}
	}
	return a.exact(b, (*big.Rat).Mul)
}

// Div is as Add; it answers false for a division by zero.
func (a Atom) Div(b Atom) (Atom, bool) {
	if b.IsZero() {
		return Atom{}, false
	}
	return a.exact(b, (*big.Rat).Quo)
}

func (a Atom) exact(b Atom, op func(z, x, y *big.Rat) *big.Rat) (Atom, bool) {
	if !a.IsNumber() || !b.IsNumber() {
		return Atom{}, false
	}
	return Rational(op(new(big.Rat), a.Rat(), b.Rat())), true
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return uint64(-v)
	}
	return uint64(v)
}
