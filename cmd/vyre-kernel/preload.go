package main

import (
	_ "github.com/vyre-kernel/vyre-kernel/cmd/vyre-kernel/preload" // registers what the names below stand for
	"github.com/vyre-kernel/vyre-kernel/interp/engine/deadlock"
)

const module = "github.com/vyre-kernel/vyre-kernel/"

// preloaded are the packages that every cell can use without importing them, by the name they have
// there. Another package of this project comes in here and in preload/packages.txt.
var preloaded = map[string]string{
	"cuda":    module + "cuda",
	"driver":  module + "cuda/driver",
	"nvrtc":   module + "cuda/nvrtc",
	"plan":    module + "cuda/plan",
	"queue":   module + "cuda/queue",
	"join":    module + "cuda/join",
	"egraph":  module + "egraph",
	"term":    module + "egraph/term",
	"accel":   module + "egraph/accel",
	"picture": module + "egraph/picture",
	"device":  module + "egraph/device",
	"plots":   module + "plots",
	"display": module + "plots/display",
	"widgets": module + "widgets",
	"comm":    module + "widgets/comm",
}

// keeping is what those packages do with the functions and channels that cells hand them, where
// that is not what their types show: a cell that waits after it called one of those that keep
// nothing may wait for ever.
var keeping = map[string]deadlock.Keeping{
	module + "egraph":        deadlock.KeepsNothing,
	module + "egraph/term":   deadlock.KeepsNothing,
	module + "plots":         deadlock.KeepsNothing,
	module + "plots/display": deadlock.KeepsNothing,
	module + "widgets":       deadlock.KeepsAll,
	module + "widgets/comm":  deadlock.KeepsAll,
}
