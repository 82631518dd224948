package enginetest

import (
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
)

func TestEngines(t *testing.T) {
	for name, newEngine := range Engines {
		open := conformance.On(newEngine)
		o := Options{MayRefuse: name != "vm"}
		t.Run(name, func(t *testing.T) {
			t.Run("programs", func(t *testing.T) { Programs(t, open, o) })
			t.Run("sessions", func(t *testing.T) { Sessions(t, open, o) })
			t.Run("interrupts", func(t *testing.T) { Interrupts(t, open, o) })
			t.Run("memory", func(t *testing.T) { Memory(t, open, 200) })
		})
	}
}
