package enginetest

import (
	"github.com/vyre-kernel/vyre-kernel/interp/engine"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/vm"
	"github.com/vyre-kernel/vyre-kernel/interp/engine/yaegi"
	"github.com/vyre-kernel/vyre-kernel/interp/symbols"
)

// Engines are the constructors of all engines, by name.
var Engines = map[string]func() (engine.Engine, error){
	"vm": func() (engine.Engine, error) {
		return vm.New(vm.Options{Symbols: symbols.Lookup, Types: symbols.Type})
	},
	"yaegi": func() (engine.Engine, error) {
		return yaegi.New(yaegi.Options{Symbols: symbols.Lookup, Types: symbols.Type})
	},
}
