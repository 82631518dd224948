package driver

import (
	"errors"
	"testing"
)

// Tensor maps that the driver of an H200 refuses are refused by the name of the field; those that it takes pass.
func TestTensorMapRules(t *testing.T) {
	good := func() TensorMapConfig {
		return TensorMapConfig{Type: TensorFloat16, Address: 1 << 20, Dims: []uint64{64, 64}, Strides: []uint64{128},
			Box: []uint32{64, 64}, ElementStrides: []uint32{1, 1}}
	}
	for name, c := range map[string]struct {
		change func(*TensorMapConfig)
		field  string
	}{
		"as it is":           {func(*TensorMapConfig) {}, ""},
		"no type":            {func(c *TensorMapConfig) { c.Type = 13 }, "Type"},
		"no dimension":       {func(c *TensorMapConfig) { c.Dims = nil }, "Dims"},
		"six dimensions":     {func(c *TensorMapConfig) { c.Dims = make([]uint64, 6) }, "Dims"},
		"no stride":          {func(c *TensorMapConfig) { c.Strides = nil }, "Strides"},
		"address 8":          {func(c *TensorMapConfig) { c.Address = 8 }, "Address"},
		"empty":              {func(c *TensorMapConfig) { c.Dims[1] = 0 }, "Dims[1]"},
		"2^32 wide":          {func(c *TensorMapConfig) { c.Dims[0] = 1 << 32 }, ""},
		"wider":              {func(c *TensorMapConfig) { c.Dims[0] = 1<<32 + 1 }, "Dims[0]"},
		"stride 0":           {func(c *TensorMapConfig) { c.Strides[0] = 0 }, ""},
		"stride 24":          {func(c *TensorMapConfig) { c.Strides[0] = 24 }, "Strides[0]"},
		"stride 2^40":        {func(c *TensorMapConfig) { c.Strides[0] = 1 << 40 }, "Strides[0]"},
		"box 257":            {func(c *TensorMapConfig) { c.Box[1] = 257 }, "Box[1]"},
		"box of 14 bytes":    {func(c *TensorMapConfig) { c.Box[0] = 7 }, "Box[0]"},
		"box of 256 KiB":     {func(c *TensorMapConfig) { c.Type, c.Box = TensorFloat32, []uint32{256, 256} }, "Box"},
		"wide for 32":        {func(c *TensorMapConfig) { c.Swizzle = TensorSwizzle32 }, "Box[0]"},
		"wide for 128":       {func(c *TensorMapConfig) { c.Swizzle, c.Box[0] = TensorSwizzle128, 72 }, "Box[0]"},
		"as wide as 128":     {func(c *TensorMapConfig) { c.Swizzle = TensorSwizzle128 }, ""},
		"swizzle 4":          {func(c *TensorMapConfig) { c.Swizzle = 4 }, "Swizzle"},
		"every ninth":        {func(c *TensorMapConfig) { c.ElementStrides[1] = 9 }, "ElementStrides[1]"},
		"every eighth":       {func(c *TensorMapConfig) { c.ElementStrides[1] = 8 }, ""},
		"NaN for integers":   {func(c *TensorMapConfig) { c.Type, c.Fill = TensorUint16, TensorFillNaN }, "Fill"},
		"interleaved in two": {func(c *TensorMapConfig) { c.Interleave = TensorInterleave16 }, "Dims"},
		"promotion 4":        {func(c *TensorMapConfig) { c.Promotion = 4 }, "Promotion"},
	} {
		config := good()
		c.change(&config)
		err := config.Check()
		var refused *TensorMapError
		if c.field == "" && err != nil || c.field != "" && (!errors.As(err, &refused) || refused.Field != c.field ||
			!errors.Is(err, ErrorInvalidValue)) {
			t.Errorf("%s: %v, want a refusal of %q", name, err, c.field)
		}
	}
}
