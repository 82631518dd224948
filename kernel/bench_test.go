package kernel_test

import "testing"

// BenchmarkOutput is 50 MB in lines of 1 KB, from the cell's descriptor to a client.
func BenchmarkOutput(b *testing.B) {
	_, c := start(b, workerCommand())
	b.SetBytes(50 << 20)
	for b.Loop() {
		if n := len(c.Execute("bytes 52428800").Text("stdout")); n != 50<<20 {
			b.Fatal(n)
		}
	}
}

// BenchmarkLines is 200,000 short lines.
func BenchmarkLines(b *testing.B) {
	_, c := start(b, workerCommand())
	for b.Loop() {
		c.Execute("lines 200000")
	}
}
