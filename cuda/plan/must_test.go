package plan

import (
	"errors"
	"testing"
)

// What the plain forms refuse the Must forms panic with, and else they agree.
func TestMustPanicsWithTheError(t *testing.T) {
	stages := []Stage{{ID: 1, Layout: 7, Input: 64, Output: 32}, {ID: 2, Layout: 7, Input: 32, Output: 8}}
	if MustLaunchFusion(stages, 256).Launches() != 1 || MustDataflowFusion(stages, Chain(stages), 256).Launches() != 1 {
		t.Error("two stages that fit have one launch")
	}
	profile := QueueProfile{Capacity: 8, Entry: 16, Control: 64, Budget: 192}
	if MustWorkQueue(profile).Resident != 192 || MustDrain(profile, 4).Chunks != 2 {
		t.Error("a queue of 8 items")
	}
	for name, call := range map[string]func(){
		"fusion":   func() { MustLaunchFusion(stages, 0) },
		"dataflow": func() { MustDataflowFusion(stages, nil, 0) },
		"queue":    func() { MustWorkQueue(QueueProfile{}) },
		"drain":    func() { MustDrain(profile, 0) },
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				var field *ZeroFieldError
				if !errors.As(err, &field) {
					t.Errorf("%s: %v", name, err)
				}
			}()
			call()
		}()
	}
}
