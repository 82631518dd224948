package plots

import (
	"fmt"
	"math"
	"reflect"
	"time"
)

// A Sampler holds measured times in seconds.
type Sampler interface{ Samples() []float64 }

// seconds reads what Timing was given: a Sampler, or a slice of seconds or of durations.
func seconds(source any) ([]float64, error) {
	switch s := present(source).(type) {
	case Sampler:
		return s.Samples(), nil
	case []float64:
		return s, nil
	case []float32:
		out := make([]float64, len(s))
		for i, v := range s {
			out[i] = float64(v)
		}
		return out, nil
	case []time.Duration:
		out := make([]float64, len(s))
		for i, d := range s {
			out[i] = d.Seconds()
		}
		return out, nil
	case interface{ Durations() []time.Duration }:
		return seconds(s.Durations())
	}
	return nil, &SourceError{Plot: "Timing", Found: fmt.Sprintf("%T", source),
		Want: "[]time.Duration, []float64 or []float32 in seconds, or a value with Samples() []float64"}
}

// checkTimes refuses what is no length of time.
func checkTimes(samples []float64) error {
	if len(samples) == 0 {
		return &SourceError{Plot: "Timing", Found: "no samples", Want: "at least one"}
	}
	for i, v := range samples {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return &SampleError{Plot: "Timing", Index: i, Value: v, Reason: "it is not a number of seconds"}
		case v < 0:
			return &SampleError{Plot: "Timing", Index: i, Value: v, Reason: "a time cannot be negative"}
		}
	}
	return nil
}

// present is source, or nil where it is a nil pointer, whose methods cannot be asked.
func present(source any) any {
	if v := reflect.ValueOf(source); v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	return source
}
