package main

import (
	"context"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
	"github.com/vyre-kernel/vyre-kernel/plots/display"
)

// silent is a front end that takes everything and answers nothing.
type silent struct{ worker.Host }

func (silent) Display(worker.Display) {}

// testSession is what a worker serves, until the test ends.
func testSession(t *testing.T) worker.Session {
	t.Helper()
	s, err := openSession(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// TestInspectLiveValues: of a variable inspection shows what it holds; of a device buffer type,
// length, bytes and device.
func TestInspectLiveValues(t *testing.T) {
	s := testSession(t)
	for i, source := range []string{
		"dev := cuda.MustOpen(\"emulated\")", "v := dev.MustUpload([]float32{1, 2, 3})",
		`n, words, ages := 42, []string{"a", "b"}, map[string]int{"Ada": 36}`,
		"type Point struct{ X, Y int }\np := Point{1, 2}",
	} {
		if r := s.Execute(t.Context(), worker.ExecuteRequest{Number: i + 1, Source: source}, silent{}); r.Error != nil {
			t.Fatalf("%s: %+v", source, r.Error)
		}
	}
	for _, c := range []struct {
		source string
		want   []string
	}{
		{"v", []string{"var v *cuda.Buffer", "float32", "3", "size         12 B", "emulated:0"}},
		{"dev", []string{"var dev *cuda.Device", "emulated"}},
		{"n", []string{"var n int", "value: 42"}},
		{"words", []string{"var words []string", `"a", "b"`}},
		{"ages", []string{"map[string]int", "Ada", "36"}},
		{"p", []string{"var p Point", "X: 1"}},
		{"dev.MustUpload", []string{"func (*cuda.Device).MustUpload", "MustUpload"}},
	} {
		r := s.Inspect(context.Background(), worker.InspectRequest{Source: c.source, Cursor: len(c.source)})
		text, _ := r.Bundle.Data[display.TypeText].(string)
		for _, w := range c.want {
			if !r.Found || !strings.Contains(text, w) {
				t.Errorf("%s: no %q in %q", c.source, w, text)
			}
		}
	}
}
