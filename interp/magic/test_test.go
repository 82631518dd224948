package magic

import (
	"context"
	"errors"
	"testing"
)

// tested is a session of an engine's, without tests.
type tested struct {
	Session
	engine string
}

func (s tested) Engine() string         { return s.engine }
func (s tested) Tests() ([]Test, error) { return nil, nil }

// Nothing that package testing would end the process for is handed to it.
func TestArgumentsOfTest(t *testing.T) {
	for args, refused := range map[string]bool{
		"": false, "Sum": false, "-run Sum/small -count=2": false, "-bench . -run '^$' -benchmem": false, "Sum // all": false,
		"-test.short": false, "-run a/b[/]c|d": false,
		"-timeout 1s": true, "-fuzz Sum": true, "-cpuprofile x": true, "-run": true,
		"[": true, "-bench (": true, "-run a/(": true, "-run a|*": true, "Sum Other": true, "-x": true,
	} {
		_, err := Run(context.Background(), &Call{Name: "%test", Args: args, Session: tested{engine: "vm"}})
		var flag *TestFlagError
		var none *NoTestsError
		if errors.As(err, &flag) != refused || errors.As(err, &none) == refused {
			t.Errorf("%%test %s: %v, want it refused: %v", args, err, refused)
		}
	}
	_, err := Run(context.Background(), &Call{Name: "%test", Session: tested{engine: "yaegi"}})
	var engine *TestEngineError
	if !errors.As(err, &engine) {
		t.Errorf("with yaegi: %v", err)
	}
}
