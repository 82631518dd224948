package pctab

import (
	"encoding/binary"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// A line has a range of addresses, and its program counter is in the middle: a return address,
// which is looked up less one, and an address as it is find the same line.
const lineBytes = 16

// minLines is how many lines a function has addresses for at first: its length is not asked for.
const minLines = 256

// pcTables are the pc-value tables of a function of so many lines from first on, as
// cmd/internal/obj writes them: pairs of a zigzag difference of the value, which begins at -1, and
// a difference of the program counter, until a difference of zero. An offset of zero stands for no
// table, so that the first byte belongs to none.
func pcTables(first, lines int) (tables []byte, file, line uint32) {
	tables = append(tables, 0)
	file = uint32(len(tables))
	tables = appendStep(tables, 0-(-1), lines*lineBytes)
	tables = append(tables, 0)
	line = uint32(len(tables))
	tables = appendStep(tables, first-(-1), lineBytes)
	for range lines - 1 {
		tables = appendStep(tables, 1, lineBytes)
	}
	return append(tables, 0), file, line
}

func appendStep(table []byte, value, bytes int) []byte {
	zigzag := uint32(value)<<1 ^ uint32(int32(value)>>31)
	return binary.AppendUvarint(binary.AppendUvarint(table, uint64(zigzag)), uint64(bytes/gorelease.Quantum()))
}
