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
