package protocol

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

func TestFramesRoundTrip(t *testing.T) {
	for _, f := range []Frame{
		{Kind: KindReady},
		{Kind: KindStdout, Request: 1 << 40, Body: bytes.Repeat([]byte("x"), 3<<20)},
		{Kind: KindExecute, Request: 7, Head: []byte(`{}`), Body: []byte{0}},
	} {
		b, err := appendFrame(nil, f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ReadFrame(bytes.NewReader(b))
		if err != nil || got.Kind != f.Kind || got.Request != f.Request || !bytes.Equal(got.Head, f.Head) ||
			!bytes.Equal(got.Body, f.Body) {
			t.Errorf("%d: %v", f.Kind, err)
		}
		if _, err := ReadFrame(bytes.NewReader(b[:len(b)-1])); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut short: %v", err)
		}
	}
}

func TestFramesRefused(t *testing.T) {
	huge := []byte{byte(KindStdout), 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}
	var bound *FrameError
	if _, err := ReadFrame(bytes.NewReader(huge)); !errors.As(err, &bound) || bound.Limit != maxHead {
		t.Errorf("%v", err)
	}
	huge[0] = 200
	if _, err := ReadFrame(bytes.NewReader(huge)); !errors.As(err, &bound) || bound.What != "kind" {
		t.Errorf("%v", err)
	}
	if _, err := splitBuffers([]byte{1, 2}, []int{1}); err == nil {
		t.Error("bytes after the last buffer were taken")
	}
	if _, err := splitBuffers([]byte{1, 2}, []int{3}); err == nil {
		t.Error("a buffer longer than the body was taken")
	}
}

// FuzzReadFrame: any bytes give a frame that encodes to itself, or an error.
func FuzzReadFrame(f *testing.F) {
	for _, seed := range []Frame{{Kind: KindHello, Head: []byte(`{"Version":1}`)},
		{Kind: KindStderr, Request: 3, Body: []byte("x")}} {
		b, err := appendFrame(nil, seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ReadFrame(bytes.NewReader(b))
		if err != nil {
			return
		}
		again, err := appendFrame(nil, got)
		if err != nil || !bytes.Equal(again, b[:len(again)]) {
			t.Errorf("%x became %x (%v)", b, again, err)
		}
		if e, err := DecodeComm(got); err == nil {
			if _, err := CommFrame(e, got.Kind, got.Request); err != nil {
				t.Errorf("comm does not encode again: %v", err)
			}
		}
	})
}
