package worker

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

func TestFramesRoundTrip(t *testing.T) {
	for _, f := range []frame{
		{kind: kindReady},
		{kind: kindStdout, request: 1 << 40, body: bytes.Repeat([]byte("x"), 3<<20)},
		{kind: kindExecute, request: 7, head: []byte(`{}`), body: []byte{0}},
	} {
		b, err := appendFrame(nil, f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := readFrame(bytes.NewReader(b))
		if err != nil || got.kind != f.kind || got.request != f.request || !bytes.Equal(got.head, f.head) || !bytes.Equal(got.body, f.body) {
			t.Errorf("%d: %v", f.kind, err)
		}
		if _, err := readFrame(bytes.NewReader(b[:len(b)-1])); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("cut short: %v", err)
		}
	}
}

func TestFramesRefused(t *testing.T) {
	huge := []byte{byte(kindStdout), 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}
	var bound *FrameError
	if _, err := readFrame(bytes.NewReader(huge)); !errors.As(err, &bound) || bound.Limit != maxHead {
		t.Errorf("%v", err)
	}
	huge[0] = 200
	if _, err := readFrame(bytes.NewReader(huge)); !errors.As(err, &bound) || bound.What != "kind" {
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
	for _, seed := range []frame{{kind: kindHello, head: []byte(`{"Version":1}`)}, {kind: kindStderr, request: 3, body: []byte("x")}} {
		b, err := appendFrame(nil, seed)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := readFrame(bytes.NewReader(b))
		if err != nil {
			return
		}
		again, err := appendFrame(nil, got)
		if err != nil || !bytes.Equal(again, b[:len(again)]) {
			t.Errorf("%x became %x (%v)", b, again, err)
		}
		if e, err := decodeComm(got); err == nil {
			if _, err := e.frame(got.kind, got.request); err != nil {
				t.Errorf("comm does not encode again: %v", err)
			}
		}
	})
}
