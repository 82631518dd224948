package join

import (
	"fmt"
	"math"
)

// Kind is the kind of a join.
type Kind uint8

const (
	Inner Kind = iota
	IndexedInner
)

// NodeLayoutVersion changes when the pipeline's nodes do, so that keys of another layout never
// match.
const NodeLayoutVersion = 1

// A Key says which graph serves a join: everything that shapes it, sizes as capacity classes. Keys
// are comparable.
type Key struct {
	Kind          Kind
	Arity         uint8
	KeyBytes      uint32
	ProbeCapacity uint32
	// BuildCapacity is 0 in a key made by InnerKey, which does not know the build side.
	BuildCapacity  uint32
	OutputCapacity uint32
	Scan           ScanTopology
	NodeLayout     uint32
}

// An ArityError says that a key has more columns than a Key can hold.
type ArityError struct{ Arity int }

func (e *ArityError) Error() string {
	return fmt.Sprintf("a join key of %d columns; 0 to %d can be told apart\nWhat to do: pack columns together", e.Arity,
		math.MaxUint8)
}

// InnerKey is the key of an inner join. The scan runs over the whole probe class, so one graph
// serves every length of it.
func InnerKey(arity int, keyBytes, probe, output uint32) (Key, error) {
	if arity < 0 || arity > math.MaxUint8 {
		return Key{}, &ArityError{arity}
	}
	class := CapacityClass(probe)
	return Key{Kind: Inner, Arity: uint8(arity), KeyBytes: keyBytes, ProbeCapacity: class,
		OutputCapacity: CapacityClass(output), Scan: Topology(class), NodeLayout: NodeLayoutVersion}, nil
}
