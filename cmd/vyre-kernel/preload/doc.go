// Package preload is what cells see of this project: export data and symbol tables of its packages, registered with
// interp/check and interp/symbols when it is imported. Everything else in it is generated.
package preload

//go:generate go run github.com/vyre-kernel/vyre-kernel/interp/symbols/gen -preload . github.com/vyre-kernel/vyre-kernel/cuda github.com/vyre-kernel/vyre-kernel/cuda/driver github.com/vyre-kernel/vyre-kernel/cuda/nvrtc github.com/vyre-kernel/vyre-kernel/cuda/plan github.com/vyre-kernel/vyre-kernel/cuda/queue github.com/vyre-kernel/vyre-kernel/cuda/join github.com/vyre-kernel/vyre-kernel/egraph github.com/vyre-kernel/vyre-kernel/egraph/device github.com/vyre-kernel/vyre-kernel/plots github.com/vyre-kernel/vyre-kernel/plots/display github.com/vyre-kernel/vyre-kernel/widgets github.com/vyre-kernel/vyre-kernel/widgets/comm
