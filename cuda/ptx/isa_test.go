package ptx

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every instruction of the kept texts is a form of the instruction set.
func TestKeptTextsMatchForms(t *testing.T) {
	files, _ := filepath.Glob("testdata/kernels/*.ptx")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Parse(filepath.Base(file), string(src))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range m.Functions {
			for i := range f.Code {
				if _, err := Match(&f.Code[i]); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
	}
}

func TestFormTable(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Forms() {
		if f.Name == "" || f.Op == "" || f.Section == "" || seen[f.Name] {
			t.Errorf("row %+v is incomplete or repeated", f)
		}
		seen[f.Name] = true
		for _, types := range f.types {
			for _, typ := range types {
				if typ == NoType {
					t.Errorf("row %s names a type that is none", f.Name)
				}
			}
		}
	}
}

func TestMatchRefuses(t *testing.T) {
	for _, c := range []struct {
		op       string
		mods     []string
		operands int
	}{
		{"frobnicate", nil, 0}, {"add", []string{"s33"}, 3}, {"add", []string{"s32"}, 2}, {"add", []string{"hi", "s32"}, 3},
		{"mul", []string{"s32"}, 3}, {"setp", []string{"s32"}, 3}, {"shl", []string{"f32"}, 3},
	} {
		_, err := Match(&Instruction{Op: c.op, Mods: c.mods, Operands: make([]Operand, c.operands)})
		var fe *FormError
		if !errors.As(err, &fe) {
			t.Errorf("%s %v with %d operands: %v, want a FormError", c.op, c.mods, c.operands, err)
		}
	}
}

// What only some architectures have is refused for others, by the names of both.
func TestTargetsOfInstructions(t *testing.T) {
	for _, c := range []struct{ target, text, want string }{
		{"sm_90a", "wgmma.fence.sync.aligned;", ""},
		{"sm_90", "wgmma.fence.sync.aligned;", `.target sm_90a for wgmma.fence.sync.aligned: this text is for sm_90`},
		{"sm_100a", "wgmma.fence.sync.aligned;", `.target sm_90a for wgmma.fence.sync.aligned: this text is for sm_100a`},
		{"sm_100a", "setmaxnreg.inc.sync.aligned.u32 64;", ""},
		{"sm_90", "setmaxnreg.inc.sync.aligned.u32 64;", `.target one of sm_90a, sm_100a, `},
		{"sm_90a", "setmaxnreg.inc.sync.aligned.u32 60;", "a constant from 24 to 256 that 8 divides"},
	} {
		_, err := Parse("t", ".version 8.6\n.target "+c.target+"\n.address_size 64\n.entry k() { "+c.text+" }")
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s for %s: %v, want %q", c.text, c.target, err, c.want)
		}
	}
}
