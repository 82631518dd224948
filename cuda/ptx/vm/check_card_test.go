package vm

import (
	"strings"
	"testing"
)

// A report's card has the instruction mix and what coalescing came to.
func TestReportCard(t *testing.T) {
	m := load(t, "basics", Checked())
	k, _ := m.program.Kernel("saxpy")
	counted, err := k.Counted()
	if err != nil {
		t.Fatal(err)
	}
	x := upload(m, make([]float32, 256))
	one := Dim3{X: 1, Y: 1, Z: 1}
	r, err := counted.Launch(t.Context(), Launch{Grid: one, Block: Dim3{X: 256, Y: 1, Z: 1}, Params: pack(t, k, 256, float32(1), x, upload(m, make([]float32, 256)))})
	if err != nil {
		t.Fatal(err)
	}
	card := r.Table()
	notes := strings.Join(card.Notes, "\n")
	for _, want := range []string{"24 requests of warps, 4.0 sectors", "3072 bytes asked for, 100 %", "lanes parted: 0"} {
		if !strings.Contains(notes, want) {
			t.Errorf("%q lacks %q", notes, want)
		}
	}
	if !strings.Contains(card.Caption, "saxpy") || len(card.Rows) != mixLength {
		t.Errorf("%q with %d rows", card.Caption, len(card.Rows))
	}
	if plain, err := k.Launch(t.Context(), Launch{Grid: one, Block: one, Params: pack(t, k, 1, float32(1), x, x)}); err != nil || plain.Counters != nil {
		t.Errorf("a launch that is not counted: %+v, %v", plain, err)
	}
}
