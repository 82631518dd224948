package driver

import "fmt"

// Result is CUresult, what every call of the driver API returns. The codes and their names are in
// result_table.go. A Result other than Success is an error, comparable with errors.Is.
type Result uint32

// Name is CUDA's own: "CUDA_ERROR_INVALID_VALUE".
func (r Result) Name() string {
	if row, ok := results[r]; ok {
		return row.name
	}
	return fmt.Sprintf("CUresult %d", uint32(r))
}

// Meaning says in a sentence what the code stands for.
func (r Result) Meaning() string {
	if row, ok := results[r]; ok {
		return row.meaning
	}
	return "a code that this version does not know"
}

// Advice says what to do about it; empty where nothing general can be said.
func (r Result) Advice() string { return results[r].advice }

// Error makes the code an error by itself; methods return it inside an *Error.
func (r Result) Error() string { return r.Name() + ": " + r.Meaning() }

// Sticky reports whether the code leaves its context unusable: every later call there returns it
// again (fault.go tells until when).
func (r Result) Sticky() bool { return results[r].sticky }

// Results lists every code that has a name, in ascending order.
func Results() []Result {
	return append([]Result(nil), resultOrder...)
}
