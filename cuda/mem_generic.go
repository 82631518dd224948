package cuda

// Cells get this file as source, for they cannot instantiate what is only compiled into the kernel:
// it may name only what is exported (interp/symbols/gen).

// New allocates n elements of type T, all bits 0: cuda.New[float32](dev, 1024). T is a number, or
// an array or a struct of numbers.
func New[T any](d *Device, n int) (*Buffer, error) {
	var zero T
	return d.Make(n, zero)
}

// MustNew is New, and panics with its error.
func MustNew[T any](d *Device, n int) *Buffer {
	b, err := New[T](d, n)
	if err != nil {
		panic(err)
	}
	return b
}

// Slice copies the elements of a buffer to the host: cuda.Slice[float32](x). T is the type of the
// buffer's elements; another is an error. Buffer.Download is for elements of a type that is not
// known.
func Slice[T any](b *Buffer) ([]T, error) {
	s := make([]T, b.Len())
	if err := b.Read(0, s); err != nil {
		return nil, err
	}
	return s, nil
}

// MustSlice is Slice, and panics with its error.
func MustSlice[T any](b *Buffer) []T {
	s, err := Slice[T](b)
	if err != nil {
		panic(err)
	}
	return s
}
