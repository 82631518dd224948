package transport

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
)

// The flags of a frame.
const (
	flagMore    = 1
	flagLong    = 2
	flagCommand = 4
)

// growStep bounds what is allocated before the bytes have come.
const growStep = 64 << 10

// shortHeader is the least, maxFrameHeader the most that stands before the body of a frame.
const (
	shortHeader    = 2
	maxFrameHeader = 9
)

// maxCommand bounds a command: those of a handshake have a few hundred bytes.
const maxCommand = 64 << 10

// appendFrame appends a frame; flags are more and command.
func appendFrame(dst []byte, flags byte, body []byte) []byte {
	dst = appendFrameHeader(dst, flags, len(body))
	return append(dst, body...)
}

func appendFrameHeader(dst []byte, flags byte, size int) []byte {
	if size > 255 {
		dst = append(dst, flags|flagLong)
		return binary.BigEndian.AppendUint64(dst, uint64(size))
	}
	return append(dst, flags, byte(size))
}

// frameHeader reads the beginning of a frame that was made here: the flags (without long), where
// the body begins, its size.
func frameHeader(b []byte) (flags byte, at int, size uint64) {
	if b[0]&flagLong == 0 {
		return b[0], shortHeader, uint64(b[1])
	}
	return b[0] &^ flagLong, maxFrameHeader, binary.BigEndian.Uint64(b[1:])
}

// readFrameHeader reads flags and size of a frame, and refuses those that ZMTP does not know.
func readFrameHeader(r *bufio.Reader) (flags byte, size uint64, err error) {
	flags, err = r.ReadByte()
	if err != nil {
		return 0, 0, err
	}
	if flags&^(flagMore|flagLong|flagCommand) != 0 || flags&(flagMore|flagCommand) == flagMore|flagCommand {
		return 0, 0, refuse("frame flags", flags, "more, long, or command alone")
	}
	if flags&flagLong == 0 {
		b, err := r.ReadByte()
		return flags, uint64(b), unexpected(err)
	}
	var b [8]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, 0, unexpected(err)
	}
	return flags &^ flagLong, binary.BigEndian.Uint64(b[:]), nil
}

// appendBody reads size bytes onto dst, growing as they come, not as they are announced; step is
// called before each part with its size and may refuse.
func appendBody(dst []byte, r io.Reader, size int, step func(n int) error) ([]byte, error) {
	for size > 0 {
		n := min(size, growStep)
		if err := step(n); err != nil {
			return dst, err
		}
		at := len(dst)
		dst = append(dst, make([]byte, n)...)
		if _, err := io.ReadFull(r, dst[at:]); err != nil {
			return dst, unexpected(err)
		}
		size -= n
	}
	return dst, nil
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
