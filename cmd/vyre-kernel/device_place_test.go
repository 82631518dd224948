package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

const captureSetup = `device := cuda.MustOpen("emulated")
x := device.MustUpload([]uint32{1})
text := ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }"
kernel := device.MustLoadPTX(text).MustKernel("k")`

const captureCell = `graph, err := device.Capture(func(s *cuda.Stream) {
	s.Fill(x, 1)
	helper(s)
})
if err == nil {
	graph.Close()
}
panic(err)`

// A capture that fails in a cell says which call failed, at which line of which cell. // D18
func TestCapturesOfCellsNameTheLine(t *testing.T) {
	s := testSession(t)
	n := 0
	cell := func(source string) *worker.CellError {
		n++
		return s.Execute(t.Context(), worker.ExecuteRequest{Number: n, Source: source}, silent{}).Error
	}
	works := func(source string) {
		t.Helper()
		if err := cell(source); err != nil {
			t.Fatalf("%s: %+v", source, err)
		}
	}
	for _, engine := range []string{"vm", "yaegi"} {
		works("%engine " + engine)
		works(captureSetup)
		for call, want := range map[string]string{"s.Done()": "Stream.Done", "s.Copy(x, nil)": "Stream.Copy",
			"s.Synchronize()": "Stream.Synchronize",
			"device.Dispatch(kernel, cuda.Grid(1), cuda.Block(1), cuda.On(s))": "Device.Dispatch"} {
			works("func helper(s *cuda.Stream) {\n\n\t" + call + "\n}")
			place := fmt.Sprintf("recorded at In[%d]:3", n)
			err := cell(captureCell)
			if err == nil {
				t.Fatalf("%s was recorded", call)
			}
			if !strings.Contains(err.Value, place) || !strings.Contains(err.Value, want) {
				t.Errorf("%s, %s: %s lacks %s", engine, call, err.Value, place)
			}
		}
		works("device.Close()")
	}
}
