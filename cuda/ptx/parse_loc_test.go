package ptx

import "testing"

// An instruction is of the line that its kernel's author wrote, however deep the header's function that was inlined
// there; code for debuggers does not say where that was, and the line before it is taken.
func TestInlinedPlaces(t *testing.T) {
	const one, two = ", function_name $L, inlined_at ", ", function_name $L+4, inlined_at "
	for _, c := range []struct {
		name, locs string
		want       sourcePlace
	}{
		{"plain", ".loc 1 6 3", sourcePlace{1, 6, 3}},
		{"own function", ".loc 1 7 3\n.loc 1 3 5" + one + "1 7 3", sourcePlace{1, 3, 5}},
		{"header", ".loc 1 7 3\n.loc 2 6 9" + one + "1 7 3", sourcePlace{1, 7, 3}},
		{"header in header", ".loc 1 7 3\n.loc 2 6 9" + one + "1 7 3\n.loc 2 3 1" + two + "2 6 9", sourcePlace{1, 7, 3}},
		{"header in own function", ".loc 1 7 3\n.loc 1 3 5" + one + "1 7 3\n.loc 2 6 9" + two + "1 3 5\n.loc 3 1 1" + one +
			"2 6 9", sourcePlace{1, 3, 5}},
		{"inlined twice", ".loc 1 7 3\n.loc 2 6 9" + one + "1 7 3\n.loc 2 3 1" + two + "2 6 9\n.loc 1 8 3\n.loc 2 6 9" +
			one + "1 8 3\n.loc 2 3 1" + two + "2 6 9", sourcePlace{1, 8, 3}},
		{"for debuggers", ".loc 1 5 0\n.loc 1 7 3\n.loc 1 0 3\n.loc 2 6 9\n.loc 2 0 9\n.loc 2 3 1", sourcePlace{1, 7, 3}},
		{"a header's kernel", ".loc 2 6 9\n.loc 2 7 1", sourcePlace{2, 7, 1}},
		{"in a circle", ".loc 1 7 3\n.loc 2 6 9" + one + "2 6 9", sourcePlace{2, 6, 9}},
	} {
		m, err := Parse("t", ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"k.cu\"\n.file 2 \"a.h\"\n"+
			".file 3 \"b.h\"\n.visible .entry k()\n{\n.loc 1 5 0\n"+c.locs+"\nret;\n}\n")
		if c.name == "a header's kernel" {
			m, err = Parse("t", ".version 8.0\n.target sm_80\n.address_size 64\n.file 2 \"a.h\"\n"+
				".visible .entry k()\n{\n"+c.locs+"\nret;\n}\n")
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		in := m.Functions[0].Code[0]
		if got := (sourcePlace{in.File, in.FileLine, in.FileColumn}); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
