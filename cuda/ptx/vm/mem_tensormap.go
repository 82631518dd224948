package vm

import (
	"encoding/binary"
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Tensor maps in the form of this device, little-endian. Kernels may make one of zeros with
// tensormap.replace, so that there is no mark that tells them from other bytes; a map is checked where
// it is used.
const (
	mapAddress     = 0  // 8 bytes
	mapStrides     = 8  // 4 of 8 bytes, for the dimensions from 1 on
	mapDims        = 40 // 5 of 4 bytes, 0 for 2^32
	mapBox         = 60 // 5 of 4 bytes
	mapSteps       = 80 // 5 of 4 bytes
	mapRank        = 100
	mapType        = 101
	mapInterleave  = 102
	mapSwizzle     = 103
	mapFill        = 104
	mapPromotion   = 105
	mapUsed        = 106
	tensorMapBytes = 128
)

// EncodeTensorMap gives the bytes that kernels of this device take for a description that Check passes.
func EncodeTensorMap(c *driver.TensorMapConfig) (m driver.TensorMap) {
	le := binary.LittleEndian
	le.PutUint64(m[mapAddress:], uint64(c.Address))
	for i, s := range c.Strides {
		le.PutUint64(m[mapStrides+8*i:], s)
	}
	for i := range c.Dims {
		le.PutUint32(m[mapDims+4*i:], uint32(c.Dims[i]))
		le.PutUint32(m[mapBox+4*i:], c.Box[i])
		le.PutUint32(m[mapSteps+4*i:], c.ElementStrides[i])
	}
	m[mapRank], m[mapType], m[mapInterleave] = byte(len(c.Dims)-1), byte(c.Type), byte(c.Interleave)
	m[mapSwizzle], m[mapFill], m[mapPromotion] = byte(c.Swizzle), byte(c.Fill), byte(c.Promotion)
	return m
}

// DecodeTensorMap reads the bytes of EncodeTensorMap. The error says what is wrong with others.
func DecodeTensorMap(m *driver.TensorMap) (*driver.TensorMapConfig, error) {
	le := binary.LittleEndian
	for _, b := range m[mapUsed:] {
		if b != 0 || m[mapRank] > 4 {
			return nil, fmt.Errorf("the bytes are no tensor map")
		}
	}
	c := &driver.TensorMapConfig{Address: driver.DevicePtr(le.Uint64(m[mapAddress:])),
		Type:       driver.TensorMapType(m[mapType]),
		Interleave: driver.TensorMapInterleave(m[mapInterleave]), Swizzle: driver.TensorMapSwizzle(m[mapSwizzle]),
		Fill: driver.TensorMapFill(m[mapFill]), Promotion: driver.TensorMapPromotion(m[mapPromotion])}
	for i := range int(m[mapRank]) + 1 {
		d := uint64(le.Uint32(m[mapDims+4*i:]))
		if d == 0 {
			d = 1 << 32
		}
		c.Dims = append(c.Dims, d)
		c.Box = append(c.Box, le.Uint32(m[mapBox+4*i:]))
		c.ElementStrides = append(c.ElementStrides, le.Uint32(m[mapSteps+4*i:]))
		if i > 0 {
			c.Strides = append(c.Strides, le.Uint64(m[mapStrides+8*(i-1):]))
		}
	}
	return c, c.Check()
}

// mapField is what tensormap.replace changes: bytes of the map, or of an element of a list in it.
type mapField struct {
	at, size int
	// of gives what the map holds for the operand's value, where that is not the value itself.
	of func(v uint64) uint64
}

// tensorTypesOfPTX are the types in the order of tensormap.replace.elemtype.
var tensorTypesOfPTX = [...]driver.TensorMapType{driver.TensorUint8, driver.TensorUint16,
	driver.TensorUint32, driver.TensorInt32,
	driver.TensorUint64, driver.TensorInt64, driver.TensorFloat16, driver.TensorFloat32, driver.TensorFloat32FTZ,
	driver.TensorFloat64, driver.TensorBfloat16, driver.TensorTF32, driver.TensorTF32FTZ}

var mapFields = map[string]mapField{
	"global_address": {at: mapAddress, size: 8}, "global_stride": {at: mapStrides, size: 8},
	"global_dim": {at: mapDims, size: 4},
	"box_dim":    {at: mapBox, size: 4}, "element_stride": {at: mapSteps, size: 4}, "rank": {at: mapRank, size: 1},
	"elemtype":          {at: mapType, size: 1, of: func(v uint64) uint64 { return uint64(tensorTypesOfPTX[v]) }},
	"interleave_layout": {at: mapInterleave, size: 1}, "swizzle_mode": {at: mapSwizzle, size: 1},
	"fill_mode": {at: mapFill, size: 1},
}

// mapTypes are the types of a field's bytes.
var mapTypes = map[int]ptx.Type{1: ptx.B32, 4: ptx.B32, 8: ptx.B64}

func buildTensorMap(c *compiler) error {
	if c.in.Has("cp_fenceproxy") {
		return c.copyTensorMap()
	}
	var f mapField
	for name, field := range mapFields {
		if c.in.Has(name) {
			f = field
		}
	}
	ops := c.in.Operands
	if len(ops) == 3 {
		f.at += f.size * int(ops[1].Int)
	}
	v, err := c.src(len(ops)-1, mapTypes[f.size])
	if err != nil {
		return err
	}
	base, err := c.addressOf(c.operandSpace(), &ops[0])
	if err != nil {
		return err
	}
	p := c.laneAccess(c.operandSpace(), f.size, true)
	size := mapTypes[f.size].Size()
	c.emit(func(b *block) {
		b.eachAlone(func(l int) {
			var word [8]byte
			copy(word[:], viewBytes(b, v, size)[l*size:(l+1)*size])
			value := binary.LittleEndian.Uint64(word[:])
			if f.of != nil {
				value = f.of(value)
			}
			binary.LittleEndian.PutUint64(word[:], value)
			if addr := base(b, l); b.alignedMap(l, addr) {
				p.store(b, l, addr+uint64(f.at), word[:f.size])
			}
		})
	})
	return nil
}

// addressOf gives how a lane's address is found: what stands first in the brackets, and the offset.
func (c *compiler) addressOf(space ptx.Space, o *ptx.Operand) (func(b *block, l int) uint64, error) {
	a, err := c.accessTo(space, o, 16, false)
	if err != nil {
		return nil, err
	}
	return func(b *block, l int) uint64 {
		if a.narrow {
			return uint64(view[uint32](b, a.addr)[l]) + a.offset
		}
		return view[uint64](b, a.addr)[l] + a.offset
	}, nil
}

func (b *block) alignedMap(l int, addr uint64) bool {
	if addr%64 == 0 {
		return true
	}
	var lane laneBits
	lane.add(l)
	b.raise(driver.FaultMisaligned, &lane, fmt.Sprintf("a tensor map at address %#x: a multiple of 64 is legal", addr))
	return false
}

// copyTensorMap is tensormap.cp_fenceproxy: a warp copies a map from shared to global memory.
func (c *compiler) copyTensorMap() error {
	to, err := c.addressOf(ptx.Global, &c.in.Operands[0])
	if err != nil {
		return err
	}
	from, err := c.addressOf(ptx.Shared, &c.in.Operands[1])
	if err != nil {
		return err
	}
	load, store := c.laneAccess(ptx.Shared, 16, false), c.laneAccess(ptx.Global, 16, true)
	c.wholeWarpEnd(func(b *block) {
		all := b.bits
		b.eachWarp(func(base int, _ uint32) {
			var lane laneBits
			lane.add(base)
			b.setActive(&lane)
			var m driver.TensorMap
			if b.fault == nil && b.alignedMap(base, to(b, base)) && load.load(b, base, from(b, base), m[:]) {
				store.store(b, base, to(b, base), m[:])
			}
			b.setActive(&all)
		})
	})
	return nil
}

func init() {
	register(map[string]builder{"tensormap": buildTensorMap})
}
