package vm

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num"
)

// wmmaShape is one shape of wmma with the registers that its fragments have (tables of
// section 9.7.14.4.1).
type wmmaShape struct {
	m, n, k   int
	elem, acc string
	a, b, d   int
}

var wmmaShapes = []wmmaShape{
	{16, 16, 16, "f16", "f32", 8, 8, 8}, {32, 8, 16, "f16", "f32", 8, 8, 8}, {8, 32, 16, "f16", "f32", 8, 8, 8}, {16, 16, 16, "f16", "f16", 8, 8, 4},
	{16, 16, 16, "bf16", "f32", 4, 4, 8}, {32, 8, 16, "bf16", "f32", 8, 2, 8}, {8, 32, 16, "bf16", "f32", 2, 8, 8},
	{16, 16, 16, "s8", "s32", 2, 2, 8}, {32, 8, 16, "s8", "s32", 4, 1, 8}, {8, 32, 16, "u8", "s32", 1, 4, 8},
	{16, 16, 8, "tf32", "f32", 4, 4, 8}, {8, 8, 4, "f64", "f64", 1, 1, 2},
}

// elementBytes writes numbers as elements of a type.
func elementBytes(elem string, v []float64) []byte {
	var out []byte
	for _, x := range v {
		switch elem {
		case "f16":
			out = binary.LittleEndian.AppendUint16(out, num.F16.Encode(x))
		case "bf16":
			out = binary.LittleEndian.AppendUint16(out, num.BF16.Encode(x))
		case "f32", "tf32":
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(x)))
		case "s32":
			out = binary.LittleEndian.AppendUint32(out, uint32(int32(x)))
		case "f64":
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
		default:
			out = append(out, byte(int32(x)))
		}
	}
	return out
}

func (s wmmaShape) text(layoutA, layoutB string) string {
	kind := func(elem string) string {
		switch elem {
		case "f32", "f64":
			return elem
		}
		return "b32"
	}
	list := func(prefix string, n int) string {
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("%%%s%d", prefix, i)
		}
		return "{" + strings.Join(names, ", ") + "}"
	}
	shape := fmt.Sprintf("m%dn%dk%d", s.m, s.n, s.k)
	types := s.acc + "." + s.elem + "." + s.elem + "." + s.acc
	round := ""
	switch s.elem {
	case "f16":
		types = s.acc + "." + s.acc
	case "f64":
		round = ".rn"
	}
	strideA, strideB := s.k, s.n
	if layoutA == "col" {
		strideA = s.m
	}
	if layoutB == "col" {
		strideB = s.k
	}
	return fmt.Sprintf(`.version 8.4
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c)
{
	.reg .%[1]s %%a<8>, %%b<8>;
	.reg .%[2]s %%c<8>;
	.reg .b64 %%pa, %%pb, %%pc;
	ld.param.u64 %%pa, [a];
	ld.param.u64 %%pb, [b];
	ld.param.u64 %%pc, [c];
	wmma.load.a.sync.aligned.%[3]s.%[5]s.global.%[6]s %[8]s, [%%pa], %[11]d;
	wmma.load.b.sync.aligned.%[4]s.%[5]s.global.%[6]s %[9]s, [%%pb], %[12]d;
	wmma.load.c.sync.aligned.row.%[5]s.global.%[7]s %[10]s, [%%pc], %[13]d;
	wmma.mma.sync.aligned.%[3]s.%[4]s.%[5]s%[15]s.%[14]s %[10]s, %[8]s, %[9]s, %[10]s;
	wmma.store.d.sync.aligned.row.%[5]s.global.%[7]s [%%pc], %[10]s, %[13]d;
	ret;
}
`, kind(s.elem), kind(s.acc), layoutA, layoutB, shape, s.elem, s.acc, list("a", s.a), list("b", s.b), list("c", s.d), strideA, strideB, s.n, types, round)
}

// transposed gives a matrix of rows×cols by columns.
func transposed(v []float64, rows, cols int) []float64 {
	out := make([]float64, 0, len(v))
	for c := range cols {
		for r := range rows {
			out = append(out, v[r*cols+c])
		}
	}
	return out
}

// Every shape and type of wmma, in two layouts, multiplies small integers as the host does.
func TestWmmaShapes(t *testing.T) {
	for _, s := range wmmaShapes {
		for _, layouts := range [][2]string{{"row", "col"}, {"col", "row"}} {
			t.Run(fmt.Sprintf("%dx%dx%d.%s.%s.%s", s.m, s.n, s.k, s.elem, s.acc, layouts[0]), func(t *testing.T) { s.run(t, layouts[0], layouts[1]) })
		}
	}
}

func (s wmmaShape) run(t *testing.T, layoutA, layoutB string) {
	r := random(uint64(s.m))
	draw := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(r.IntN(7) - 3)
			if s.elem == "u8" {
				v[i] += 125
			}
		}
		return v
	}
	a, b, c := draw(s.m*s.k), draw(s.k*s.n), draw(s.m*s.n)
	want := make([]float64, s.m*s.n)
	for i := range s.m {
		for j := range s.n {
			want[i*s.n+j] = c[i*s.n+j]
			for k := range s.k {
				want[i*s.n+j] += a[i*s.k+k] * b[k*s.n+j]
			}
		}
	}
	if layoutA == "col" {
		a = transposed(a, s.m, s.k)
	}
	if layoutB == "col" {
		b = transposed(b, s.k, s.n)
	}
	text := s.text(layoutA, layoutB)
	m := onBoth(loadText(t, "wmma", text, Checked()), []byte(text))
	out := elementBytes(s.acc, want)
	pc := upload(m, elementBytes(s.acc, c))
	m.run("k", 1, 32, upload(m, elementBytes(s.elem, a)), upload(m, elementBytes(s.elem, b)), pc)
	same(t, "d", download[byte](m, pc, len(out)), out)
}
