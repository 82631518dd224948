package interp

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/interp/engine"
)

// stackLines bounds how many lines are shown at each end of a deep stack.
const stackLines = 20

// stack shows frames, innermost first, the first one with its source line. Frames that a recursion
// repeats are counted.
func (s *Session) stack(frames []engine.Frame) []string {
	var lines []string
	runs := recursions(frames)
	for i, r := range runs {
		if i == stackLines && len(runs) > 2*stackLines {
			lines = append(lines, between("%d more", len(runs)-2*stackLines))
		}
		if i >= stackLines && i < len(runs)-stackLines {
			continue
		}
		lines = append(lines, r.line())
		if i == 0 && r.frames[0].Pos.Filename != "" {
			lines = append(lines, s.excerpt(r.frames[0].Pos)[1:]...)
		}
		if r.repeats == 0 && r.frames[0].Skipped > 0 {
			lines = append(lines, between("%d more", r.frames[0].Skipped))
		}
	}
	return lines
}

// between is a line that stands for frames.
func between(format string, n int) string {
	return "  " + dim + "... " + fmt.Sprintf(format, n) + " ..." + unstyled
}

// A recursion is one frame, or how often the frames before it come again.
type recursion struct {
	frames  []engine.Frame
	repeats int
}

func (r recursion) line() string {
	f := r.frames[0]
	switch {
	case r.repeats > 0 && len(r.frames) == 1:
		return between("the same call %d times more", r.repeats)
	case r.repeats > 0:
		return between(fmt.Sprintf("the same %d calls %%d times more", len(r.frames)), r.repeats)
	case f.Function == engine.PanicCall:
		return "  " + bold + "panic" + unstyled
	case f.Pos.Filename == "": // a cell that is an empty loop has no statement with a place
		return "  " + bold + f.Function + unstyled
	}
	return fmt.Sprintf("  %s%s%s  %s", bold, f.Function, unstyled, f.Pos)
}

const (
	// longestCycle is how many functions that call each other in turn are known as a recursion.
	longestCycle = 8
	// fewest repeats are counted; less is shown as it is.
	fewest = 3
)

// recursions finds what a stack repeats.
func recursions(frames []engine.Frame) []recursion {
	var out []recursion
	for i := 0; i < len(frames); {
		if cycle, length, repeats := cycleBefore(frames, i); repeats >= fewest {
			out = append(out, recursion{frames[i : i+cycle], repeats})
			i += length
			continue
		}
		out = append(out, recursion{frames: frames[i : i+1]})
		i++
	}
	return out
}

// cycleBefore says how often the frames before i come again from there on, those of the shortest
// cycle that does, and in how many frames. Of frames that are left out it is taken that they are
// the same as those around them.
func cycleBefore(frames []engine.Frame, i int) (cycle, length, repeats int) {
	for cycle = 1; cycle <= min(longestCycle, i); cycle++ {
		n := 0
		for i+n < len(frames) && same(frames[i+n], frames[i+n-cycle]) && frames[i+n-1].Skipped%cycle == 0 {
			n++
		}
		if n -= n % cycle; n/cycle >= fewest {
			return cycle, n, (n + skipped(frames[i-1:i+n-1])) / cycle
		}
	}
	return 0, 0, 0
}

func skipped(frames []engine.Frame) (n int) {
	for _, f := range frames {
		n += f.Skipped
	}
	return n
}

// same reports whether two frames are of one call in the text.
func same(a, b engine.Frame) bool { return a.Function == b.Function && a.Pos == b.Pos }
