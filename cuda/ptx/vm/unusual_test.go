package vm

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An unusual program writes words of each lane, which the host computes too.
type unusual struct {
	words   int
	args    []any
	want    func(i uint32) []uint32 // anything marks words that are not looked at
	printed string
}

const anything = 0x0badcafe

var unusualPrograms = map[string]unusual{
	"const_vectors":      {words: 16, want: constVectors},
	"convert_noftz":      {words: 16, want: convertNoFtz},
	"packed_halves":      {words: 16, want: packedHalves},
	"bit_fields":         {words: 24, want: bitFields},
	"indexed_branches":   {words: 4, want: indexedBranches},
	"structs_by_value":   {words: 4, args: []any{structGiven()}, want: structsByValue},
	"printing":           {words: 1, want: printing, printed: printedText()},
	"barriers_in_memory": {words: 8, want: barriersInMemory},
	"copies_beside":      {words: 12, want: copiesBeside},
	"matrices":           {words: 16, want: matrices},
}

// TestUnusualPrograms executes what compilers seldom print: each instruction in a form of its own, checked and unchecked, and on a GPU
// where one is under test.
func TestUnusualPrograms(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "testdata", "unusual", "*.ptx"))
	if len(files) != len(unusualPrograms) {
		t.Errorf("%d texts, %d programs", len(files), len(unusualPrograms))
	}
	for name, u := range unusualPrograms {
		t.Run(name, func(t *testing.T) { modes(t, func(t *testing.T, o Options) { u.run(t, name, o) }) })
	}
}

func (u unusual) run(t *testing.T, name string, o Options) {
	text, err := os.ReadFile(filepath.Join("..", "testdata", "unusual", name+".ptx"))
	if err != nil {
		t.Fatal(err)
	}
	m := onBoth(loadText(t, name, string(text), o), text)
	out := m.alloc(uint64(4 * u.words * 32))
	var printed strings.Builder
	l := Launch{Grid: Dim3{X: 1, Y: 1, Z: 1}, Block: Dim3{X: 32, Y: 1, Z: 1}, Stdout: &printed}
	if _, err := m.tryWith("k", l, append([]any{out}, u.args...)...); err != nil {
		t.Fatal(err)
	}
	if m.gpu == nil && printed.String() != u.printed {
		t.Errorf("printed %q, want %q", printed.String(), u.printed)
	}
	got := download[uint32](m, out, u.words*32)
	for i := range uint32(32) {
		for j, want := range u.want(i) {
			if g := got[int(i)*u.words+j]; want != anything && g != want {
				t.Errorf("lane %d, word %d: %#x, want %#x", i, j, g, want)
			}
		}
	}
}

func constVectors(i uint32) []uint32 {
	raw := []byte{1, 2, 253, 4, 5, 6, 7, 255, 9, 10, 11, 12, 13, 14, 15, 128}
	words := []uint32{10, 20, 30, 40, 50, 60, 70, 4000000000}
	w, b := words[i&1*4:], raw[i&3*4:]
	sign := func(x byte) uint32 { return uint32(int32(int8(x))) }
	return []uint32{w[0], w[1], w[2], w[3], sign(b[0]), sign(b[2]), sign(b[3]), w[1],
		math.Float32bits(-2.5), math.Float32bits(1.5), words[2], words[3], w[2], w[3], 15 | 128<<8 | 13<<16 | 14<<24, 0}
}

func convertNoFtz(i uint32) []uint32 {
	tiny := math.Float64bits(float64(math.Float32frombits(i + 1)))
	f := float64(i) * -10
	ten := func(x float64) uint32 { return uint32(int64(x)) }
	u8 := ten(max(f, 0))
	s8 := ten(max(f, -128))
	return []uint32{uint32(tiny), uint32(tiny >> 32), 0, 0, i + 1, 0, math.Float32bits(math.Nextafter32(1, 2)), math.Float32bits(-1),
		u8 & 0xff, s8, u8, ten(min(-f, 127)), math.Float32bits(float32(f)), 0xffffffff, uint32(int32(int8(u8))), uint32(max(int32(s8), 0))}
}

// halfBits is a whole or a half number as f16 bits.
func halfBits(x float64) uint32 {
	if x == 0 {
		return uint32(math.Float64bits(x) >> 48)
	}
	b := math.Float64bits(x)
	return uint32(b>>63<<15 | (b>>52&0x7ff-1023+15)<<10 | b>>42&0x3ff)
}

func halves(lo, hi float64) uint32 { return halfBits(lo) | halfBits(hi)<<16 }

func brain(lo, hi float64) uint32 {
	return math.Float32bits(float32(lo))>>16 | math.Float32bits(float32(hi))&0xffff0000
}

func packedHalves(i uint32) []uint32 {
	x := float64(i)
	n := math.Copysign(x, -1)
	fl, fh := x*-2+1, n*0.5+1 // 0x3800C000 is -2 below, 0.5 above
	clamp := func(v float64) float64 { return min(max(v, 0), 1) }
	relu := func(v float64) float64 { return max(v, 0) }
	lower := func(a, b float64) float64 { // -0 is less than 0
		if a < b || a == b && math.Signbit(a) {
			return a
		}
		return b
	}
	first := uint32(0)
	if x < 1 {
		first |= 1
	}
	if n < 1 {
		first |= 2
	}
	gtu := halfBits(1) << 16 // against NaN
	if x > 1 {
		gtu |= halfBits(1)
	}
	ge := uint32(0xffffffff)
	b := brain(x+1, -x-1)
	if i == 0 {
		b = brain(1, -1)
	}
	return []uint32{halves(fl, fh), halves(relu(fl), relu(fh)), halves(clamp(fl), clamp(fh)), halves(-fl, -fh),
		halves(lower(x, 1), n), halfBits(lower(x, 1)) | 0x7fff<<16, halves(max(x, 1), math.Copysign(max(x, 1), -1)), halves(math.Abs(fl), math.Abs(fh)),
		first, gtu, ge, b,
		brain(min(x, x+1), min(x, -x-1)), brain(relu(x+1), relu(-x-1)), anything, anything}
}

func bitFields(i uint32) []uint32 {
	a, b := i*0x9e3779b9, uint32(0x12345678)
	d := uint64(b)<<32 | uint64(a)
	pos, n := 4*i, 37*i
	out := []uint32{insert(a, b, pos, n), uint32(extract(uint64(a), 32, pos, n, false)), uint32(extract(uint64(a), 32, pos, n, true))}
	funnel := func(s uint32) uint32 { return uint32(d << s >> 32) }
	out = append(out, funnel(min(pos, 32)))
	if pos >= 32 {
		out[3] = a
	}
	x, y := insert64(uint64(a), d, pos, n), extract(d, 64, pos, n, true)
	out = append(out, uint32(x), uint32(x>>32), uint32(y), uint32(y>>32))
	out = append(out, uint32(d>>(pos&31)), uint32(d>>min(pos, 32)))
	pick := func(sel ...uint32) (r uint32) {
		for k, s := range sel {
			v := uint32(byte(d >> (8 * (s & 7))))
			if s&8 != 0 {
				v = uint32(int32(int8(v))>>7) & 0xff
			}
			r |= v << (8 * k)
		}
		return r
	}
	k := i & 3
	out = append(out, pick(i&15, i>>4&15, 0, 0), pick(k, k+1, k+2, k+3), pick(k, (k+7)&7, (k+6)&7, (k+5)&7), pick(k, k, k, k),
		pick(max(k, 0), max(k, 1), max(k, 2), 3), pick(0, min(k, 1), min(k, 2), min(k, 3)))
	h := i & 1 * 2
	out = append(out, pick(h, h+1, h, h+1), pick(12, 1, 13, 8), shifted(b, n), uint32(int32(a)>>min(n, 31)))
	maj := a&b | a&n | b&n
	p := uint32(0)
	if maj != 0 || i != 5 {
		p = 1
	}
	find := uint32(bits.LeadingZeros32(a ^ uint32(int32(a)>>31)))
	if find == 32 {
		find = 0xffffffff
	}
	return append(out, maj, p, find, nth(a))
}

func shifted(x, n uint32) uint32 {
	if n > 31 {
		return 0
	}
	return x << n
}

func insert(a, b, pos, n uint32) uint32 {
	pos, n = pos&0xff, n&0xff
	for k := uint32(0); k < n && pos+k < 32; k++ {
		b = b&^(1<<(pos+k)) | shifted(a, 0)>>min(k, 31)&1<<(pos+k)
	}
	return b
}

func insert64(a, b uint64, pos, n uint32) uint64 {
	for k := uint32(0); k < n && pos+k < 64; k++ {
		b = b&^(1<<(pos+k)) | a>>k&1<<(pos+k)
	}
	return b
}

func extract(a uint64, width, pos, n uint32, signed bool) uint64 {
	if width == 32 {
		pos, n = pos&0xff, n&0xff
	}
	var r, sign uint64
	if signed && n > 0 {
		sign = a >> min(uint64(pos)+uint64(n)-1, uint64(width)-1) & 1
	}
	for k := range width {
		bit := sign
		if k < n && pos+k < width {
			bit = a >> (pos + k) & 1
		}
		r |= bit << k
	}
	return r
}

// nth is the place of the second bit set at place 3 or above.
func nth(a uint32) uint32 {
	seen := 0
	for k := uint32(3); k < 32; k++ {
		if a>>k&1 == 1 {
			if seen++; seen == 2 {
				return k
			}
		}
	}
	return 0xffffffff
}

func indexedBranches(i uint32) []uint32 {
	sum, x := uint32(0), i
	for turn := uint32(1); turn <= 6; turn++ {
		x += turn
		sum += []uint32{1, 10100, 1, 10000, 0}[x%5]
	}
	called := 2 * i
	if i%3 == 1 {
		if called = 3 * i; i > 20 {
			called = 7
		}
	}
	return []uint32{sum, called, 0, 0}
}

func structGiven() []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 5), 0x00070009), 77)
}

func structsByValue(i uint32) []uint32 {
	if i&1 == 0 {
		return []uint32{0, 0, 0, 0}
	}
	a := 5 + i
	return []uint32{a + 1000 + 7, 7, uint32(math.RoundToEven(2.5+float64(a))) + a, 0}
}

func printedText() string {
	var b bytes.Buffer
	for i := range 2 {
		x := float64(i) + 3.125
		fmt.Fprintf(&b, "lane %2d: text and more text, %8.3f %e %g|%-6d|%+d %d %x A%%\n", i, x, -100000.0, x, -7, i, int64(-5000000000), 0x123456789abcdef)
	}
	return b.String() + "nothing\n"
}

func printing(i uint32) []uint32 {
	switch {
	case i < 2:
		return []uint32{11}
	case i == 31:
		return []uint32{anything}
	}
	return []uint32{0}
}

func barriersInMemory(i uint32) []uint32 {
	last := uint32(0)
	if i == 0 {
		last = 3
	}
	return []uint32{0, 3 * (31 - i), last, 1, 0, 0, 0, 0} // half of the lanes dropped out: the last arrival completes the third phase
}

func copiesBeside(i uint32) []uint32 {
	a := 16*i + 1
	cut := func(n uint32, v ...uint32) []uint32 {
		raw := make([]byte, 4*len(v))
		for k, x := range v {
			binary.LittleEndian.PutUint32(raw[4*k:], x)
		}
		clear(raw[n:])
		for k := range v {
			v[k] = binary.LittleEndian.Uint32(raw[4*k:])
		}
		return v
	}
	out := append([]uint32{a, a + 1, a + 2, a + 3}, cut(i&15, a+3, a+2, a+1, a)...)
	return append(append(out, cut(i&3, a+1)...), 0xffffffff, 0, 0)
}

// tileAt is element e of row r of the tile: halves of which the even ones are column/2 + r, the odd ones column/2.
func tileAt(r, e uint32) float64 {
	if e%2 == 0 {
		return float64(e/2 + r)
	}
	return float64(e / 2)
}

func matrices(i uint32) []uint32 {
	row := func(k uint32) uint32 { return k ^ 5 } // the address that lane k gives
	g, c := i/4, i%4*2
	frag := func(mat uint32) uint32 { r := row(8*mat + g); return halves(tileAt(r, c), tileAt(r, c+1)) }
	turned := func(mat uint32, at func(uint32) uint32) uint32 {
		return halves(tileAt(at(8*mat+c), g), tileAt(at(8*mat+c+1), g))
	}
	itself := func(k uint32) uint32 { return k }
	out := []uint32{frag(0), frag(1), frag(2), frag(3), turned(0, row), turned(1, row), turned(0, itself), frag(0)}
	// A is rows 0 to 15 as they came; B's registers hold, for column n and k, element n of row k.
	product := func(r, n uint32) uint32 {
		sum := 1.0
		for k := range uint32(8) {
			sum += tileAt(row(r), k) * tileAt(row(k), n)
		}
		return math.Float32bits(float32(sum))
	}
	out = append(out, product(g, c), product(g, c+1), product(g+8, c), product(g+8, c+1))
	for n := range uint32(2) {
		sum := []int64{2147483000, -5}[n]
		for k := range uint32(16) {
			a := int8((g*4 + k/4) * 0x0f71a53b >> (k % 4 * 8))
			b := uint8(((c+n)*4 + k/4) * 0x71355719 >> (k % 4 * 8))
			sum += int64(a) * int64(b)
		}
		out = append(out, uint32(int32(min(max(sum, math.MinInt32), math.MaxInt32))))
	}
	return append(out, anything, anything)
}
