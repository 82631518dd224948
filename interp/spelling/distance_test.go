package spelling

import "testing"

func TestDistance(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"same", "same", 0},
		{"lenght", "length", 1}, // swapped
		{"Printn", "Println", 1}, {"Printlnn", "Println", 1}, {"Print1n", "Println", 1},
		{"ca", "abc", 3}, // a swap is not edited again: 2 without that
		{"kitten", "sitting", 3},
	} {
		if got, back := Distance(x.a, x.b), Distance(x.b, x.a); got != x.want || back != x.want {
			t.Errorf("from %q to %q %d, back %d, want %d", x.a, x.b, got, back, x.want)
		}
	}
}
