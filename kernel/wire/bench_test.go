package wire

import "testing"

func benchmarkSigner(b *testing.B) *Signer {
	s, err := NewSigner(SchemeHMACSHA256, []byte("key"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return s
}

var benchmarkMessage = Message{
	Identities: [][]byte{[]byte("client")}, Header: NewHeader("6f1c9a8e-0d3b-4a51-9c0e-2f4b7d8a1c3e", "root",
		"execute_request"),
	Content: []byte(`{"code":"1+1","silent":false,"store_history":true,"user_expressions":{},"allow_stdin":true,"stop_on_error":true}`),
}

// BenchmarkParse reads an execute_request.
func BenchmarkParse(b *testing.B) {
	s := benchmarkSigner(b)
	frames, err := s.Frames(&benchmarkMessage)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Parse(frames, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFrames makes a status message.
func BenchmarkFrames(b *testing.B) {
	s := benchmarkSigner(b)
	parent, err := benchmarkMessage.HeaderJSON()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		m := Message{Header: NewHeader("6f1c9a8e-0d3b-4a51-9c0e-2f4b7d8a1c3e", "kernel", "status"), Parent: parent,
			Content: []byte(`{"execution_state":"idle"}`)}
		if _, err := s.Frames(&m); err != nil {
			b.Fatal(err)
		}
	}
}
