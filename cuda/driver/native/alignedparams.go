package native

import (
	"regexp"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

// Where a parameter lies that asks for more than 16 bytes of alignment, a tensor map for one, the
// driver tells in its own constant memory, in which the parameters do not begin at such a multiple:
// offset 48 for the first. A block that Launch takes is laid out as PTX says, so that the offsets
// come from the text then.

var widelyAligned = regexp.MustCompile(`\.param\s+\.align\s+(32|64|128)\b`)

// paramLayouts gives the parameters of such kernels of a text by name; nothing of an image that is
// none, which is left with the driver's offsets.
func paramLayouts(image []byte) map[string][]driver.ParamInfo {
	if !widelyAligned.Match(image) {
		return nil
	}
	m, err := ptx.Parse("", string(image))
	if err != nil {
		return nil // the driver has taken it all the same
	}
	layouts := map[string][]driver.ParamInfo{}
	for _, k := range m.Kernels() {
		for _, p := range k.Params {
			layouts[k.Name] = append(layouts[k.Name], driver.ParamInfo{Offset: uint32(p.Offset), Size: uint32(p.Size)})
		}
	}
	return layouts
}

// asInText replaces offsets by those of the text, where it tells them.
func (f *function) asInText(params []driver.ParamInfo) []driver.ParamInfo {
	if f.mod != nil {
		if list := f.mod.layouts[f.name]; len(list) == len(params) {
			return list
		}
	}
	return params
}
