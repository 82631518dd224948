// Package preload is what cells see of this project, and of gonum/plot: export data and symbol
// tables of packages, registered with interp/check and interp/symbols when it is imported.
// Everything else in it is generated.
package preload

//go:generate go run github.com/vyre-kernel/vyre-kernel/interp/symbols/gen -preload . github.com/vyre-kernel/vyre-kernel/cuda github.com/vyre-kernel/vyre-kernel/cuda/driver github.com/vyre-kernel/vyre-kernel/cuda/nvrtc github.com/vyre-kernel/vyre-kernel/cuda/plan github.com/vyre-kernel/vyre-kernel/cuda/queue github.com/vyre-kernel/vyre-kernel/cuda/join github.com/vyre-kernel/vyre-kernel/egraph github.com/vyre-kernel/vyre-kernel/egraph/device github.com/vyre-kernel/vyre-kernel/egraph/image github.com/vyre-kernel/vyre-kernel/plots github.com/vyre-kernel/vyre-kernel/plots/display github.com/vyre-kernel/vyre-kernel/widgets github.com/vyre-kernel/vyre-kernel/widgets/comm gonum.org/v1/plot gonum.org/v1/plot/plotter gonum.org/v1/plot/vg gonum.org/v1/plot/vg/draw gonum.org/v1/plot/plotutil gonum.org/v1/plot/palette gonum.org/v1/plot/font gonum.org/v1/plot/text
