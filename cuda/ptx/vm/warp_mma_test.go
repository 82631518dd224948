package vm

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// mmaShape is one shape and type of mma.sync with how many words a lane gives of each
// factor.
type mmaShape struct {
	shape, types string
	m, k         int
	a, b         int // registers of a lane
	elem         string
}

var mmaShapes = []mmaShape{
	{"m16n8k8", "f32.f16.f16.f32", 16, 8, 2, 1, "f16"}, {"m16n8k16", "f32.f16.f16.f32", 16, 16, 4, 2, "f16"},
	{"m16n8k8", "f32.bf16.bf16.f32", 16, 8, 2, 1, "bf16"}, {"m16n8k16", "f32.bf16.bf16.f32", 16, 16, 4, 2, "bf16"},
	{"m16n8k4", "f32.tf32.tf32.f32", 16, 4, 2, 1, "tf32"}, {"m16n8k8", "f32.tf32.tf32.f32", 16, 8, 4, 2, "tf32"},
	{"m16n8k16", "s32.s8.s8.s32", 16, 16, 2, 1, "s8"}, {"m16n8k32", "s32.s8.s8.s32", 16, 32, 4, 2, "s8"},
	{"m16n8k16", "s32.u8.s8.s32", 16, 16, 2, 1, "u8"}, {"m8n8k16", "s32.s8.s8.s32", 8, 16, 1, 1, "s8"},
}

// per is how many elements a word has.
func (s mmaShape) per() int {
	return map[string]int{"f16": 2, "bf16": 2, "tf32": 1, "s8": 4, "u8": 4}[s.elem]
}

// word packs small integers as elements; signed reports whether a byte may be negative.
func (s mmaShape) word(v []float64) uint32 {
	var w uint32
	for i, x := range v {
		switch s.elem {
		case "f16":
			w |= uint32(num.F16.Encode(x)) << (16 * i)
		case "bf16":
			w |= uint32(num.BF16.Encode(x)) << (16 * i)
		case "tf32":
			w = math.Float32bits(float32(x))
		default:
			w |= uint32(uint8(int32(x))) << (8 * i)
		}
	}
	return w
}

// fill gives a lane's words of a factor from its elements: the inverse of the figures in
// section 9.7.14.5, as row, column to lane, word, part.
func (s mmaShape) fill(rows, cols, regs int, at func(row, col int) (lane, word, part int), m [][]float64) []uint32 {
	parts := make([][]float64, 32*regs)
	for i := range parts {
		parts[i] = make([]float64, s.per())
	}
	for r := range rows {
		for c := range cols {
			lane, word, part := at(r, c)
			parts[lane*regs+word][part] = m[r][c]
		}
	}
	out := make([]uint32, len(parts))
	for i, v := range parts {
		out[i] = s.word(v)
	}
	return out
}

func (s mmaShape) placeA(row, col int) (int, int, int) {
	p := s.per()
	lane, word := row%8*4+col%(4*p)/p, col/(4*p)
	if s.m == 16 {
		word = row/8 + 2*word
	}
	return lane, word, col % p
}

func (s mmaShape) placeB(k, n int) (int, int, int) {
	p := s.per()
	return n*4 + k%(4*p)/p, k / (4 * p), k % p
}

func (s mmaShape) text() string {
	names := func(prefix string, n int) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf("%%%s%d", prefix, i))
		}
		return strings.Join(list, ", ")
	}
	load := func(prefix, base string, n int) (out string) {
		out = fmt.Sprintf("mad.wide.u32 %%at, %%lane, %d, %s;\n", 4*n, base)
		for i := range n {
			out += fmt.Sprintf("ld.global.b32 %%%s%d, [%%at+%d];\n", prefix, i, 4*i)
		}
		return out
	}
	c := s.m / 4
	reg := ".reg .b32 %c<4>;"
	if strings.HasPrefix(s.types, "f32") {
		reg = ".reg .f32 %c<4>;"
	}
	body := ".version 8.4\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)\n{\n" + reg +
		".reg .b32 %lane, %a<4>, %b<4>;\n.reg .b64 %pa, %pb, %pc, %at;\nmov.u32 %lane, %tid.x;\n" +
		"ld.param.u64 %pa, [a];\nld.param.u64 %pb, [b];\nld.param.u64 %pc, [c];\n" +
		load("a", "%pa", s.a) + load("b", "%pb", s.b) + load("c", "%pc", c)
	body += fmt.Sprintf("mma.sync.aligned.%s.row.col.%s {%s}, {%s}, {%s}, {%s};\n", s.shape, s.types, names("c", c), names("a", s.a), names("b", s.b), names("c", c))
	for i := range c {
		body += fmt.Sprintf("st.global.b32 [%%at+%d], %%c%d;\n", 4*i, i)
	}
	return body + "ret;\n}\n"
}

// Every shape and type of mma.sync multiplies small integers as the host does.
func TestMmaShapes(t *testing.T) {
	for _, s := range mmaShapes {
		t.Run(s.shape+"."+s.types, func(t *testing.T) { s.run(t) })
	}
}

func (s mmaShape) run(t *testing.T) {
	r := random(uint64(s.k))
	fill := func(rows, cols int, least int) [][]float64 {
		m := make([][]float64, rows)
		for i := range m {
			for range cols {
				m[i] = append(m[i], float64(r.IntN(9)+least))
			}
		}
		return m
	}
	least := -4
	if s.elem == "u8" {
		least = 120 // both sides of where a signed byte turns
	}
	a, b, c := fill(s.m, s.k, least), fill(s.k, 8, -4), fill(s.m, 8, -4)
	text := s.text()
	m := onBoth(loadText(t, "mma", text, Checked()), []byte(text))
	whole := strings.HasPrefix(s.types, "s32")
	bits := func(x float64) uint32 {
		if whole {
			return uint32(int32(x))
		}
		return math.Float32bits(float32(x))
	}
	n := s.m / 4
	var in, want []uint32
	for l := range 32 {
		for i := range n {
			row, col := l/4+8*(i/2), l%4*2+i%2
			sum := c[row][col]
			in = append(in, bits(sum))
			for k := range s.k {
				sum += a[row][k] * b[k][col]
			}
			want = append(want, bits(sum))
		}
	}
	pc := upload(m, in)
	m.run("k", 1, 32, upload(m, s.fill(s.m, s.k, s.a, s.placeA, a)), upload(m, s.fill(s.k, 8, s.b, s.placeB, b)), pc)
	same(t, "d", download[uint32](m, pc, len(want)), want)
}

// A warp that is not whole is refused.
func TestMmaNeedsTheWholeWarp(t *testing.T) {
	s := mmaShapes[0]
	m := loadText(t, "mma", s.text(), Checked())
	p := upload(m, make([]uint32, 128))
	_, err := m.try("k", 1, 20, p, p, p)
	if err == nil || !strings.Contains(err.Error(), "20 of the 32 lanes") {
		t.Errorf("%v", err)
	}
}
