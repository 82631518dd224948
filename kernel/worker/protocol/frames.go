package protocol

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A Frame is one message on a pipe, either way:
//
//	kind    1 byte
//	request 8 bytes, big endian: which request it belongs to, 0 for none
//	head    4 bytes length, then that many bytes of JSON
//	body    4 bytes length, then that many raw bytes
//
// Output text travels as a bare body, so it costs no encoding.
type Frame struct {
	Kind    Kind
	Request uint64
	Head    []byte
	Body    []byte
}

const (
	HeaderBytes = 1 + 8 + 4 + 4
	// maxHead and maxBody bound one frame. A display of 256 MiB is more than a notebook can hold.
	maxHead = 256 << 20
	maxBody = 256 << 20
	// ReadAhead is the buffer of a reader: small frames come with one call, large bodies go past
	// it.
	ReadAhead = 4 << 10
	// growStep bounds what is allocated before the bytes have really come.
	growStep = 1 << 20
)

// appendFrame appends the encoding of f. Errors: *FrameError.
func appendFrame(dst []byte, f Frame) ([]byte, error) {
	if uint64(len(f.Head)) > maxHead {
		return dst, &FrameError{What: "head of bytes", Got: uint64(len(f.Head)), Limit: maxHead}
	}
	if uint64(len(f.Body)) > maxBody {
		return dst, &FrameError{What: "body of bytes", Got: uint64(len(f.Body)), Limit: maxBody}
	}
	dst = appendHeader(dst, f, len(f.Body))
	dst = append(dst, f.Head...)
	return append(dst, f.Body...), nil
}

// appendHeader appends what stands before head and body.
func appendHeader(dst []byte, f Frame, body int) []byte {
	dst = append(dst, byte(f.Kind))
	dst = binary.BigEndian.AppendUint64(dst, f.Request)
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(f.Head)))
	return binary.BigEndian.AppendUint32(dst, uint32(body))
}

// ReadFrame reads one frame. A clean end between frames is io.EOF, one inside a frame
// io.ErrUnexpectedEOF (with what came of the body in the frame), a broken bound *FrameError.
func ReadFrame(r io.Reader) (Frame, error) {
	var h [HeaderBytes]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return Frame{}, err
	}
	f := Frame{Kind: Kind(h[0]), Request: binary.BigEndian.Uint64(h[1:])}
	head, body := binary.BigEndian.Uint32(h[9:]), binary.BigEndian.Uint32(h[13:])
	if f.Kind == 0 || f.Kind >= KindEnd {
		return Frame{}, &FrameError{What: "kind", Got: uint64(f.Kind), Limit: uint64(KindEnd) - 1}
	}
	if head > maxHead {
		return Frame{}, &FrameError{What: "head of bytes", Got: uint64(head), Limit: maxHead}
	}
	if body > maxBody {
		return Frame{}, &FrameError{What: "body of bytes", Got: uint64(body), Limit: maxBody}
	}
	var err error
	if f.Head, err = readBytes(r, int(head)); err != nil {
		return Frame{}, err
	}
	f.Body, err = readBytes(r, int(body))
	return f, err
}

// readBytes reads n bytes, allocating as they come, not as they are announced.
func readBytes(r io.Reader, n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	if n <= growStep {
		b := make([]byte, n)
		got, err := io.ReadFull(r, b)
		return b[:got], unexpected(err)
	}
	var b bytes.Buffer
	got, err := io.CopyN(&b, r, int64(n))
	if err == nil && got != int64(n) {
		err = io.ErrUnexpectedEOF
	}
	return b.Bytes(), unexpected(err)
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// joinBuffers concatenates buffers into a body and tells their lengths.
func joinBuffers(buffers [][]byte) (body []byte, lengths []int) {
	for _, b := range buffers {
		lengths = append(lengths, len(b))
		body = append(body, b...)
	}
	return body, lengths
}

// splitBuffers is the inverse of joinBuffers.
func splitBuffers(body []byte, lengths []int) ([][]byte, error) {
	var out [][]byte
	for _, n := range lengths {
		if n < 0 || n > len(body) {
			return nil, &FrameError{What: "buffer of bytes", Got: uint64(max(n, 0)), Limit: uint64(len(body))}
		}
		out = append(out, body[:n:n])
		body = body[n:]
	}
	if len(body) != 0 {
		return nil, fmt.Errorf("worker: frame: %d bytes follow the last buffer", len(body))
	}
	return out, nil
}
