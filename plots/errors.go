package plots

import "fmt"

// A SourceError says that a value holds nothing that the plot can draw.
type SourceError struct {
	Plot  string
	Found string
	Want  string
}

func (e *SourceError) Error() string {
	return fmt.Sprintf("plots.%s: found %s; want %s", e.Plot, e.Found, e.Want)
}

// A SizeError is a picture that nobody could read, or no page could hold. Sizes are in CSS pixels.
type SizeError struct {
	Plot          string
	Width, Height int
}

// The sizes that a picture may have.
const leastSize, mostSize = 160, 4096

func (e *SizeError) Error() string {
	return fmt.Sprintf("plots.%s: want a width and a height from %d to %d pixels, got %dx%d",
		e.Plot, leastSize, mostSize, e.Width, e.Height)
}

// A SampleError says which sample is none.
type SampleError struct {
	Plot   string
	Index  int
	Value  float64
	Reason string
}

func (e *SampleError) Error() string {
	return fmt.Sprintf("plots.%s: sample %d is %v: %s", e.Plot, e.Index, e.Value, e.Reason)
}
