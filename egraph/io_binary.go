package egraph

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"

	"github.com/vyre-kernel/vyre-kernel/egraph/term"
)

// A binary snapshot is, in little-endian order: the magic, the version, then sections of a u64 count
// and that many elements: ids (u32 parents), atoms (each a u32 length and the text that prints it, then their u32
// classes as a section), operators (u32 length, name, u32 arity), and for each operator its children and its
// classes as u32 columns; last the CRC-32C of all before it.
const (
	binaryMagic   = "vyre-egraph\n"
	binaryVersion = 2
	maxSpelled    = 4*term.MaxName + 2 // in quotes
)

// WriteBinary writes the graph as a snapshot. Proofs, pushes and analysis values are not in it.
func (g *EGraph) WriteBinary(w io.Writer) error {
	if err := g.enter("WriteBinary"); err != nil {
		return err
	}
	defer g.leave()
	if w == nil {
		return &ArgumentError{"WriteBinary", "the writer", "nil", "one"}
	}
	if err := g.rebuilt(); err != nil {
		return err
	}
	b := bufio.NewWriterSize(w, 1<<16)
	out := &binaryWriter{w: b, sum: crc32.New(crc32.MakeTable(crc32.Castagnoli))}
	out.bytes([]byte(binaryMagic))
	out.word(binaryVersion)
	out.column(g.uf.parent)
	out.count(len(g.leaves.atoms))
	for _, a := range g.leaves.atoms {
		out.text(a.String())
	}
	out.column(g.leaves.class)
	out.count(len(g.ops))
	for i, o := range g.ops {
		out.text(o.name)
		out.word(uint32(o.arity))
		t := g.tables[i]
		if t.dead > 0 {
			t.compact(g.workersFor(t))
			g.version++
			g.moves++
		}
		out.column(t.kids)
		out.column(t.class)
	}
	sum := out.sum.Sum32()
	out.word(sum)
	if out.err != nil {
		return out.err
	}
	return b.Flush()
}

type binaryWriter struct {
	w   io.Writer
	sum interface {
		io.Writer
		Sum32() uint32
	}
	buffer [1 << 14]byte
	err    error
}

func (o *binaryWriter) bytes(b []byte) {
	if o.err == nil {
		o.sum.Write(b) // a hash never fails
		_, o.err = o.w.Write(b)
	}
}

func (o *binaryWriter) word(v uint32) { o.bytes(binary.LittleEndian.AppendUint32(nil, v)) }
func (o *binaryWriter) count(n int)   { o.bytes(binary.LittleEndian.AppendUint64(nil, uint64(n))) }

func (o *binaryWriter) text(s string) {
	o.word(uint32(len(s)))
	o.bytes([]byte(s))
}

func (o *binaryWriter) column(c []uint32) {
	o.count(len(c))
	for len(c) > 0 {
		n := min(len(c), len(o.buffer)/4)
		for i, v := range c[:n] {
			binary.LittleEndian.PutUint32(o.buffer[4*i:], v)
		}
		o.bytes(o.buffer[:4*n])
		c = c[n:]
	}
}

// ReadBinary reads a snapshot into a new graph, whose options may give it analyses: their values are
// made anew.
func ReadBinary(r io.Reader, options ...Option) (*EGraph, error) {
	if r == nil {
		return nil, &ArgumentError{"ReadBinary", "the reader", "nil", "one"}
	}
	g := New(options...)
	if len(g.ops) > 0 || g.proofs != nil {
		return nil, &FormatError{"binary snapshot", "options",
			"a graph from a snapshot has the snapshot's operators and no proofs"}
	}
	in := &binaryReader{r: bufio.NewReaderSize(r, 1<<16), sum: crc32.New(crc32.MakeTable(crc32.Castagnoli))}
	in.header()
	g.uf.parent = in.column("ids", math.MaxUint32-1)
	in.atoms(g)
	in.operators(g)
	want := in.sum.Sum32()
	if got := in.word("checksum"); in.err == nil && got != want {
		in.fail("checksum", "it is %08x, the content's is %08x", got, want)
	}
	if in.err != nil {
		return nil, in.err
	}
	if err := g.adopt(); err != nil {
		return nil, &FormatError{"binary snapshot", "content", err.Error()}
	}
	return g, nil
}

type binaryReader struct {
	r   *bufio.Reader
	sum interface {
		io.Writer
		Sum32() uint32
	}
	err error
}

func (in *binaryReader) fail(where, format string, args ...any) {
	if in.err == nil {
		in.err = &FormatError{"binary snapshot", where, fmt.Sprintf(format, args...)}
	}
}

func (in *binaryReader) bytes(where string, b []byte) {
	if in.err != nil {
		return
	}
	if _, err := io.ReadFull(in.r, b); err != nil {
		in.fail(where, "%v", err)
		return
	}
	in.sum.Write(b)
}

func (in *binaryReader) header() {
	magic := make([]byte, len(binaryMagic))
	in.bytes("magic", magic)
	if in.err == nil && string(magic) != binaryMagic {
		in.fail("magic", "the file is no e-graph snapshot")
	}
	if v := in.word("version"); in.err == nil && v != binaryVersion {
		in.fail("version", "it is %d, known is %d", v, binaryVersion)
	}
}

func (in *binaryReader) word(where string) uint32 {
	var b [4]byte
	in.bytes(where, b[:])
	return binary.LittleEndian.Uint32(b[:])
}

func (in *binaryReader) count(where string, limit uint64) int {
	var b [8]byte
	in.bytes(where, b[:])
	n := binary.LittleEndian.Uint64(b[:])
	if n > limit {
		in.fail(where, "%d elements pass %d", n, limit)
		return 0
	}
	return int(n)
}

func (in *binaryReader) text(where string) string {
	n := in.word(where)
	if n > maxSpelled {
		in.fail(where, "a name of %d bytes passes %d", n, maxSpelled)
		return ""
	}
	b := make([]byte, n)
	in.bytes(where, b)
	return string(b)
}

// column reads a column piece by piece, so that a false count cannot make it allocate more than the
// file has.
func (in *binaryReader) column(where string, limit uint64) []uint32 {
	n := in.count(where, limit)
	var buffer [1 << 14]byte
	c := make([]uint32, 0, min(n, 1<<20))
	for len(c) < n && in.err == nil {
		piece := buffer[:4*min(n-len(c), len(buffer)/4)]
		in.bytes(where, piece)
		for i := 0; i < len(piece); i += 4 {
			c = append(c, binary.LittleEndian.Uint32(piece[i:]))
		}
	}
	return c
}

func (in *binaryReader) atoms(g *EGraph) {
	n := in.count("atoms", math.MaxUint32-1)
	for i := 0; i < n && in.err == nil; i++ {
		a := in.atom()
		if _, twice := g.leaves.index[a]; twice {
			in.fail("atoms", "%s is there twice", a)
		}
		g.leaves.index[a] = uint32(i)
		g.leaves.atoms = append(g.leaves.atoms, a)
	}
	g.leaves.class = in.column("classes of atoms", math.MaxUint32-1)
	if len(g.leaves.class) != len(g.leaves.atoms) {
		in.fail("classes of atoms", "%d for %d atoms", len(g.leaves.class), len(g.leaves.atoms))
	}
}

// atom reads an atom as Atom.String prints it.
func (in *binaryReader) atom() term.Atom {
	text := in.text("atoms")
	if in.err != nil {
		return term.Atom{}
	}
	s, err := term.ReadOne("term", text)
	if err != nil || s.IsList() {
		in.fail("atoms", "%q is no atom", text)
		return term.Atom{}
	}
	t, err := term.LeafOf(s)
	if err != nil || t.Leaf.String() != text {
		in.fail("atoms", "%q is no atom", text)
		return term.Atom{}
	}
	return t.Leaf
}

func (in *binaryReader) operators(g *EGraph) {
	n := in.count("operators", 1<<24)
	for i := 0; i < n && in.err == nil; i++ {
		name, arity := in.text("operators"), in.word("operators")
		if _, twice := g.operatorNumber(name, int(arity)); twice || arity == 0 || arity > maxArity ||
			term.CheckName(name) != nil {
			in.fail("operators", "%q with arity %d cannot stand there", name, arity)
			return
		}
		op := g.addFurther(name, int(arity))
		t := g.tables[op]
		t.kids = in.column("children of "+name, math.MaxUint32*uint64(arity))
		t.class = in.column("classes of "+name, math.MaxUint32-1)
		if in.err == nil && len(t.kids) != len(t.class)*int(arity) {
			in.fail(name, "%d children for %d rows", len(t.kids), len(t.class))
		}
	}
}

// adopt checks columns from outside and makes the indexes over them.
func (g *EGraph) adopt() error {
	n := len(g.uf.parent)
	for i, p := range g.uf.parent {
		if int(p) > i {
			return &InvariantError{"forest", "", i, fmt.Sprintf("parent %d is above it", p)}
		}
		if int(p) < i {
			g.uf.unions++
		}
	}
	g.closedUnions = g.uf.unions
	for i, c := range g.leaves.class {
		if int(c) >= n {
			return &InvariantError{"canonical", g.leaves.atoms[i].String(), i, fmt.Sprintf("id %d is no class", c)}
		}
	}
	for _, t := range g.tables {
		for _, column := range [][]uint32{t.kids, t.class} {
			for i, k := range column {
				if int(k) >= n {
					return &InvariantError{"canonical", g.ops[t.op].name, i, fmt.Sprintf("id %d is no class", k)}
				}
			}
		}
		t.makeRoomBy(1, len(t.class))
		t.reindex(len(t.slots))
	}
	if err := g.checkInvariants(); err != nil {
		return err
	}
	if len(g.analyses) > 0 {
		return g.guard("analysis", func() { g.makeAll(); g.mustRebuild() })
	}
	return nil
}
