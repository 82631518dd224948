package vm

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/num/numtest"
)

var (
	insnSeed   = flag.Uint64("insn.seed", 1, "seed of the operands of TestInsnsOnGPU")
	insnRecord = flag.String("insn.record", "", "file that TestInsnsOnGPU writes what the GPU gave to, for testdata/hardware")
)

// insnsPerModule keeps modules of a size that compiles quickly.
const insnsPerModule = 64

// keptOperands is how many triples an instruction of a kept record has.
const keptOperands = 96

// insnRunner runs instructions of a module on the emulated device and, with ctx, on a GPU.
type insnRunner struct {
	t    *testing.T
	ctx  driver.Context
	m    *machine
	mod  driver.Module
	list []insn
}

func newInsnRunner(t *testing.T, ctx driver.Context, list []insn) *insnRunner {
	t.Helper()
	text := insnModule(list)
	r := &insnRunner{t: t, ctx: ctx, list: list, m: loadText(t, "instructions", text, Options{})}
	if ctx != nil {
		mod, log, err := ctx.LoadModule([]byte(text), driver.JITOptions{})
		if err != nil {
			t.Fatalf("%v\n%s", err, log.Error)
		}
		r.mod = mod
		t.Cleanup(func() { _ = mod.Unload() })
	}
	return r
}

func (n insn) operands(count int, seed uint64) [][3]uint64 {
	list := numtest.Operands(n.class(), count, rand.New(rand.NewPCG(seed, 7)))
	if n.divides() {
		for i := range list {
			list[i][1] |= 1
		}
	}
	return list
}

func flat(list [][3]uint64) []uint64 {
	var out []uint64
	for _, v := range list {
		out = append(out, v[:]...)
	}
	return out
}

const insnBlock = 96

func (r *insnRunner) emulated(i int, list [][3]uint64) []uint64 {
	r.t.Helper()
	out := r.m.alloc(uint64(8 * len(list)))
	r.m.run(fmt.Sprintf("k%d", i), uint32(len(list)/insnBlock), insnBlock, upload(r.m, flat(list)), out)
	return download[uint64](r.m, out, len(list))
}

func (r *insnRunner) onGPU(i int, list [][3]uint64) []uint64 {
	r.t.Helper()
	out := make([]byte, 8*len(list))
	in := make([]byte, 0, 24*len(list))
	for _, v := range flat(list) {
		in = binary.LittleEndian.AppendUint64(in, v)
	}
	if err := r.launch(i, in, out); err != nil {
		r.t.Fatalf("%s: %v", r.list[i].body(), err)
	}
	res := make([]uint64, len(list))
	for k := range res {
		res[k] = binary.LittleEndian.Uint64(out[8*k:])
	}
	return res
}

func (r *insnRunner) launch(i int, in, out []byte) error {
	f, err := r.mod.Function(fmt.Sprintf("k%d", i))
	if err != nil {
		return err
	}
	pi, err := r.ctx.Alloc(uint64(len(in)))
	if err != nil {
		return err
	}
	defer func() { _ = r.ctx.Free(pi) }()
	po, err := r.ctx.Alloc(uint64(len(out)))
	if err != nil {
		return err
	}
	defer func() { _ = r.ctx.Free(po) }()
	if err := r.ctx.CopyHtoD(pi, in); err != nil {
		return err
	}
	params := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, uint64(pi)), uint64(po))
	one := driver.Dim3{X: uint32(len(out) / 8 / insnBlock), Y: 1, Z: 1}
	if err := f.Launch(&driver.LaunchConfig{Grid: one, Block: driver.Dim3{X: insnBlock, Y: 1, Z: 1}}, params); err != nil {
		return err
	}
	return r.ctx.CopyDtoH(out, po)
}

// agrees compares two results: exactly, or within an approximate instruction's bounds.
// Which NaN a double-precision instruction gives is left open.
func (n insn) agrees(a [3]uint64, x, y uint64) bool {
	if n.within != nil {
		return n.within(a, x, y)
	}
	if x != y && n.dest == "f64" {
		f, g := math.Float64frombits(x), math.Float64frombits(y)
		return f != f && g != g
	}
	return x == y
}

// compare reports the cases in which two devices differ, a few of each instruction.
func (n insn) compare(t *testing.T, list [][3]uint64, emulated, hardware []uint64) (differ int) {
	t.Helper()
	for k, a := range list {
		if n.agrees(a, emulated[k], hardware[k]) {
			continue
		}
		if differ++; differ <= 4 {
			t.Errorf("%s with a=%#x b=%#x c=%#x: emulated %#x, hardware %#x", n.body(), a[0], a[1], a[2], emulated[k], hardware[k])
		}
	}
	if differ > 4 {
		t.Errorf("%s: %d of %d cases differ", n.body(), differ, len(list))
	}
	return differ
}

// modules cuts the instructions into modules.
func modules(t *testing.T, ctx driver.Context, list []insn, each func(r *insnRunner, i int)) {
	for at := 0; at < len(list); at += insnsPerModule {
		part := list[at:min(at+insnsPerModule, len(list))]
		t.Run(fmt.Sprintf("%d", at), func(t *testing.T) {
			r := newInsnRunner(t, ctx, part)
			for i := range part {
				each(r, i)
			}
		})
	}
}

// Every instruction gives on random operands what the GPU gives. -insn.record writes
// what it gave.
func TestInsnsOnGPU(t *testing.T) {
	ctx := openGPU(t)
	rec := &record{}
	total := 0
	modules(t, ctx, allInsns(), func(r *insnRunner, i int) {
		n := r.list[i]
		list := n.operands(40*insnBlock, *insnSeed)
		total += len(list)
		n.compare(r.t, list, r.emulated(i, list), r.onGPU(i, list))
		kept := n.operands(keptOperands, 1)
		rec.add(n, r.onGPU(i, kept))
	})
	t.Logf("%d instructions, %d cases", len(allInsns()), total)
	if *insnRecord != "" {
		if err := rec.write(*insnRecord); err != nil {
			t.Error(err)
		}
	}
}

// record is what a GPU gave, instruction by instruction: the text, then keptOperands results.
type record struct {
	texts   []string
	results [][]uint64
}

func (r *record) add(n insn, results []uint64) {
	r.texts, r.results = append(r.texts, n.body()), append(r.results, results)
}

func (r *record) write(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	z := gzip.NewWriter(f)
	for i, text := range r.texts {
		raw := binary.LittleEndian.AppendUint16(nil, uint16(len(text)))
		raw = append(raw, text...)
		for _, v := range r.results[i] {
			raw = binary.LittleEndian.AppendUint64(raw, v)
		}
		if _, err := z.Write(raw); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}

func readRecord(file string) (map[string][]uint64, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, err
	}
	out := map[string][]uint64{}
	for {
		var n uint16
		if err := binary.Read(z, binary.LittleEndian, &n); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		text, res := make([]byte, n), make([]uint64, keptOperands)
		if _, err := io.ReadFull(z, text); err != nil {
			return nil, err
		}
		if err := binary.Read(z, binary.LittleEndian, res); err != nil {
			return nil, err
		}
		out[string(text)] = res
	}
}

// Every instruction gives on the kept operands what an H200 gave.
func TestInsnsAsOnHardware(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join("..", "testdata", "hardware", "*.gz"))
	if len(files) == 0 {
		t.Skip("no record of a GPU is kept: TestInsnsOnGPU -insn.record writes one")
	}
	for _, file := range files {
		rec, err := readRecord(file)
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		modules(t, nil, allInsns(), func(r *insnRunner, i int) {
			n := r.list[i]
			if want := rec[n.body()]; want != nil {
				seen++
				list := n.operands(keptOperands, 1)
				n.compare(r.t, list, r.emulated(i, list), want)
			}
		})
		if seen < len(rec) || len(rec) == 0 {
			t.Errorf("%s: %d of its %d instructions are tried", file, seen, len(rec))
		}
	}
}

// Every instruction that the comparison with a GPU tries loads and runs here.
func TestInsnsRun(t *testing.T) {
	list := allInsns()
	if len(list) < 700 {
		t.Errorf("%d instructions", len(list))
	}
	modules(t, nil, list, func(r *insnRunner, i int) { r.emulated(i, r.list[i].operands(insnBlock, 2)) })
}
