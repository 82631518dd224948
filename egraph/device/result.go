package device

import (
	"fmt"
	"time"

	"github.com/vyre-kernel/vyre-kernel/egraph/image"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// A Result is a closure as the device left it.
type Result struct {
	Device string
	// Parent gives, by id, the smallest id of its class; ids that no row is in are their own.
	Parent []uint32
	// Rounds is how many times the rows were canonicalised and inserted; the last changed nothing.
	Rounds int
	// Closure is the time of the launch as the device saw it; Upload and Download are the host's.
	Upload, Closure, Download time.Duration
}

// Classes is the number of classes that the image's become.
func (r *Result) Classes(m *image.Image) int {
	if r == nil || m == nil {
		return 0
	}
	n := 0
	for _, id := range m.Column(image.GroupClasses) {
		if int(id) < len(r.Parent) && r.Parent[id] == id {
			n++
		}
	}
	return n
}

// Unions gives each id that is no longer a class with the class it is in, for egraph.UnionAll.
func (r *Result) Unions() []image.Pair {
	if r == nil {
		return nil
	}
	var pairs []image.Pair
	for id, p := range r.Parent {
		if p != uint32(id) {
			pairs = append(pairs, image.Pair{Left: p, Right: uint32(id)})
		}
	}
	return pairs
}

// Table is the result as people look at it.
func (r *Result) Table() display.Table {
	if r == nil {
		r = &Result{Device: "no device"}
	}
	t := display.Card("congruence closure on " + r.Device)
	t.Add("rounds", r.Rounds).Add("classes merged", len(r.Unions()))
	t.Add("upload", r.Upload).Add("closure", r.Closure).Add("download", r.Download)
	return *t
}

func (r *Result) String() string {
	if r == nil {
		r = &Result{Device: "no device"}
	}
	return fmt.Sprintf("congruence closure on %s: %d rounds, %d classes merged", r.Device, r.Rounds, len(r.Unions()))
}
