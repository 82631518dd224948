package driver

import (
	"encoding/hex"
	"fmt"
)

// DevicePtr is an address in device memory (CUdeviceptr). 0 is null.
type DevicePtr uint64

func (p DevicePtr) String() string { return fmt.Sprintf("0x%x", uint64(p)) }

// GraphNode names a node of a graph (CUgraphNode). 0 names none.
type GraphNode uint64

// ConditionalHandle names the value of a conditional node (CUgraphConditionalHandle).
type ConditionalHandle uint64

// Dim3 is an extent in blocks or threads. A zero component is refused by Launch.
type Dim3 struct{ X, Y, Z uint32 }

// Count is X*Y*Z; ok is false where it does not fit in 64 bits.
func (d Dim3) Count() (n uint64, ok bool) {
	xy := uint64(d.X) * uint64(d.Y)
	if d.Z != 0 && xy > ^uint64(0)/uint64(d.Z) {
		return 0, false
	}
	return xy * uint64(d.Z), true
}

// String is "4096", "64×64" or "8×8×8": ones at the end are left out.
func (d Dim3) String() string {
	switch {
	case d.Z != 1:
		return fmt.Sprintf("%d×%d×%d", d.X, d.Y, d.Z)
	case d.Y != 1:
		return fmt.Sprintf("%d×%d", d.X, d.Y)
	}
	return fmt.Sprint(d.X)
}

// Version is a CUDA version as cuDriverGetVersion counts it: 13000 is 13.0.
type Version int

// Major and Minor are the parts of 1000*major + 10*minor.
func (v Version) Major() int { return int(v) / 1000 }

// Minor is the second part.
func (v Version) Minor() int { return int(v) % 1000 / 10 }

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major(), v.Minor()) }

// UUID identifies a device.
type UUID [16]byte

// String is CUDA's spelling: GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx.
func (u UUID) String() string {
	h := hex.EncodeToString(u[:])
	return "GPU-" + h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}

// ComputeCapability is an architecture: {9, 0} is sm_90.
type ComputeCapability struct{ Major, Minor int }

func (c ComputeCapability) String() string { return fmt.Sprintf("%d.%d", c.Major, c.Minor) }

// SM is the name that compilers use: "sm_90".
func (c ComputeCapability) SM() string { return fmt.Sprintf("sm_%d%d", c.Major, c.Minor) }

// AtLeast compares architectures.
func (c ComputeCapability) AtLeast(d ComputeCapability) bool {
	return c.Major > d.Major || c.Major == d.Major && c.Minor >= d.Minor
}

// enumName spells a value of an enumeration whose names are listed from 0.
func enumName(kind string, names []string, v uint32) string {
	if uint64(v) < uint64(len(names)) {
		return names[v]
	}
	return fmt.Sprintf("%s %d", kind, v)
}
