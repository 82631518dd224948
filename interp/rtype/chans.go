package rtype

import (
	"unsafe"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// The operations on channels: ch is the channel's word (nil blocks for ever, as in compiled code),
// val points to an element.

// MakeChan makes a channel of type w with a buffer of size elements; it panics as make does when
// size is out of range.
func MakeChan(w Word, size int) unsafe.Pointer { return gorelease.Makechan(w, size) }

// ChanSend sends the element at val. With block false it returns false at once where it would have
// to wait.
func ChanSend(ch, val unsafe.Pointer, block bool) bool { return gorelease.Chansend(ch, val, !block) }

// ChanRecv receives into val. selected is false where block is false and it would have to wait;
// received is false when the channel is closed and empty, and val is then zeroed.
func ChanRecv(ch, val unsafe.Pointer, block bool) (selected, received bool) {
	return gorelease.Chanrecv(ch, !block, val)
}

// ChanLen is len(ch).
func ChanLen(ch unsafe.Pointer) int { return gorelease.Chanlen(ch) }

// ChanCap is cap(ch).
func ChanCap(ch unsafe.Pointer) int { return gorelease.Chancap(ch) }

// ChanClose is close(ch).
func ChanClose(ch unsafe.Pointer) { gorelease.Chanclose(ch) }

// A SelectCase is one case of a select.
type SelectCase = gorelease.ReflectCase

// Select waits for one of the cases. received is false for a send, and where the channel is closed
// and empty; Val is then zeroed.
func Select(cases []SelectCase) (chosen int, received bool) { return gorelease.Rselect(cases) }
