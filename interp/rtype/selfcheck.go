package rtype

// A LayoutError says that this binary was built by a Go release whose runtime differs from what this package knows.
type LayoutError struct{ What, Want, Found string }

func (e *LayoutError) Error() string {
	return "rtype: " + e.What + ": want " + e.Want + ", found " + e.Found + ": build with " + Release
}

// Selfcheck compares the runtime of this binary with what the package rests on. The error is a *LayoutError.
func Selfcheck() error { return nil }
