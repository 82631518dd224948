package enginetest

import (
	"flag"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/conformance"
)

func TestEngines(t *testing.T) {
	for name, newEngine := range Engines {
		open := conformance.On(newEngine)
		list, err := Refusals()
		if err != nil {
			t.Fatal(err)
		}
		o := Options{MayRefuse: name != "vm", Refused: list.Refused}
		t.Run(name, func(t *testing.T) {
			t.Run("programs", func(t *testing.T) { Programs(t, open, o) })
			t.Run("sessions", func(t *testing.T) { Sessions(t, open, o) })
			t.Run("interrupts", func(t *testing.T) { Interrupts(t, open, o) })
			t.Run("memory", func(t *testing.T) { Memory(t, open, 200) })
			if o.MayRefuse && flag.Lookup("test.run").Value.String() == "" { // all of it ran
				for _, f := range list.Faults() {
					t.Error(f)
				}
			}
		})
	}
}
