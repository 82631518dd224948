package native

import (
	"slices"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// A kernel with a tensor map has its parameters where PTX says: the driver's own offsets begin at 48.
func TestWidelyAlignedParams(t *testing.T) {
	text := ".version 8.0\n.target sm_90\n.address_size 64\n" +
		".entry k(.param .align 64 .b8 m[128], .param .u32 n) { ret; }\n" +
		".entry two(.param .u64 p, .param .align 64 .b8 m[128]) { ret; }"
	f := &function{name: "k", mod: &module{layouts: paramLayouts([]byte(text))}}
	got := f.asInText([]driver.ParamInfo{{Offset: 48, Size: 128}, {Offset: 176, Size: 4}})
	if want := []driver.ParamInfo{{Offset: 0, Size: 128}, {Offset: 128, Size: 4}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	f.name = "two"
	if got = f.asInText([]driver.ParamInfo{{Offset: 0, Size: 8}, {Offset: 48, Size: 128}}); got[1].Offset != 64 {
		t.Errorf("%v, want the map at 64", got)
	}
	plain := ".version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u32 n) { ret; }"
	if plain := paramLayouts([]byte(plain)); plain != nil {
		t.Errorf("%v for a text without such parameters", plain)
	}
}
