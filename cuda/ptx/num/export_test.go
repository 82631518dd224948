package num

// Tiny32 reports whether an exact result is below the normal numbers of single precision.
var Tiny32 = tiny32

// Tiny reports whether a result is subnormal as hardware sees it.
func (f Format) Tiny(x float64, r Rounding) bool { return f.tiny(x, r) }
