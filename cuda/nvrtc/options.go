package nvrtc

import (
	"fmt"
	"maps"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// Options say how to compile; the zero value compiles for any device from sm_75 on.
type Options struct {
	// Name is the source's in messages, "cell 3" say; "cuda" where empty.
	Name string
	// FirstLine is the line of the cell on which the source begins; 0 means 1.
	FirstLine int
	// Compute is the device's architecture; zero means the oldest that the compiler knows.
	Compute driver.ComputeCapability
	// Driver is the CUDA version of the driver that is to read the PTX; 0 means any.
	Driver driver.Version
	// Std is the language, "c++17" where empty.
	Std string
	// Includes are folders of headers, before CUDA's own.
	Includes []string
	// Defines are macros with their values.
	Defines map[string]string
	// LineInfo keeps line numbers in the PTX, Debug everything a debugger wants, FastMath trades
	// exactness for speed.
	LineInfo, Debug, FastMath bool
	// Instances are kernels of templates to instantiate: "scale<float>".
	Instances []string
	// Extra are options of NVRTC's own.
	Extra []string
}

// A VersionError says that the compiler writes PTX that the driver does not read.
type VersionError struct {
	Compiler     string
	Have, Driver driver.Version
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("%s writes PTX for drivers of CUDA %s and newer, and this driver speaks %s\nWhat to do: pip "+
		"install \"nvidia-cuda-nvrtc==%d.%d.*\", or update the NVIDIA driver",
		e.Compiler, e.Have, e.Driver, e.Driver.Major(), e.Driver.Minor())
}

// An ArchError says that the compiler does not compile for the device.
type ArchError struct {
	Compiler string
	Compute  driver.ComputeCapability
	Archs    []driver.ComputeCapability
}

func (e *ArchError) Error() string {
	return fmt.Sprintf("%s does not compile for %s; it knows %s to %s\nWhat to do: pip install "+
		"nvidia-cuda-nvrtc-cu12==12.9.86, which knows sm_50 to sm_121",
		e.Compiler, e.Compute.SM(), e.Archs[0].SM(), e.Archs[len(e.Archs)-1].SM())
}

// arch chooses the virtual architecture: the device's own, or the newest that it can still run.
func (c *Compiler) arch(want driver.ComputeCapability) (string, error) {
	if len(c.Archs) == 0 {
		return "", &CallError{Function: "nvrtcGetSupportedArchs", Library: c.Path,
			Message: "the compiler names no architecture"}
	}
	best := driver.ComputeCapability{}
	if want == best {
		best = c.Archs[0]
	}
	for _, a := range c.Archs {
		if want.AtLeast(a) && a.AtLeast(best) {
			best = a
		}
	}
	if best == (driver.ComputeCapability{}) {
		return "", &ArchError{Compiler: c.String(), Compute: want, Archs: c.Archs}
	}
	return fmt.Sprintf("compute_%d%d", best.Major, best.Minor), nil
}

// arguments are the options as NVRTC takes them.
func (c *Compiler) arguments(o Options, arch string) []string {
	std := o.Std
	if std == "" {
		std = "c++17"
	}
	args := []string{"--gpu-architecture=" + arch, "--std=" + std}
	for _, on := range []struct {
		set    bool
		option string
	}{{o.LineInfo, "--generate-line-info"}, {o.Debug, "--device-debug"}, {o.FastMath, "--use_fast_math"}} {
		if on.set {
			args = append(args, on.option)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Defines)) {
		args = append(args, "--define-macro="+name+"="+o.Defines[name])
	}
	for _, dir := range append(slices.Clone(o.Includes), c.Includes...) {
		args = append(args, "--include-path="+dir)
	}
	return append(args, o.Extra...)
}
