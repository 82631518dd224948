package ptx

import "testing"

func TestInvalid(t *testing.T) {
	for text, want := range map[string]bool{
		"frobnicate.u32 %r1, %r1;":    true,
		"add.u32 %r1, %r1;":           true,
		"add.rn.u32 %r1, %r1, %r1;":   true,
		"add.cuddly.u32 %r1, %r1, 1;": false, // may be newer than this table
		"tcgen05.ld.sync.aligned;":    false,
	} {
		m, err := Parse("t", ".version 8.0\n.target sm_90\n.address_size 64\n.entry k() { .reg .b32 %r<9>; "+text+" }")
		if err != nil {
			t.Fatal(err)
		}
		in := &m.Functions[0].Code[0]
		if _, err := Match(in); err == nil || Invalid(in) != want {
			t.Errorf("%s: %v, invalid %v, want %v", text, err, Invalid(in), want)
		}
	}
}
