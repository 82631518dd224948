package rtype

import (
	"reflect"
	"unsafe"
)

// The operations on channels: ch is the channel's word (nil blocks for ever, as in compiled code), val points to an element.

// MakeChan makes a channel of type w with a buffer of size elements; it panics as make does when size is out of range.
func MakeChan(w Word, size int) unsafe.Pointer { return makechan(w, size) }

// ChanSend sends the element at val. With block false it returns false at once where it would have to wait.
func ChanSend(ch, val unsafe.Pointer, block bool) bool { return chansend(ch, val, !block) }

// ChanRecv receives into val. selected is false where block is false and it would have to wait; received is false when the
// channel is closed and empty, and val is then zeroed.
func ChanRecv(ch, val unsafe.Pointer, block bool) (selected, received bool) {
	return chanrecv(ch, !block, val)
}

// ChanLen is len(ch).
func ChanLen(ch unsafe.Pointer) int { return chanlen(ch) }

// ChanCap is cap(ch).
func ChanCap(ch unsafe.Pointer) int { return chancap(ch) }

// ChanClose is close(ch).
func ChanClose(ch unsafe.Pointer) { chanclose(ch) }

// A SelectCase is one case of a select, as package runtime has it for reflect.Select.
type SelectCase struct {
	Dir reflect.SelectDir // SelectSend or SelectRecv
	_   unsafe.Pointer    // the channel's type, which nobody looks at
	Ch  unsafe.Pointer    // the channel's word; never ready if it is nil
	Val unsafe.Pointer    // what is sent, or where what is received goes; nil: nowhere
}

// Select waits for one of the cases. received is false for a send, and where the channel is closed and empty; Val is then zeroed.
func Select(cases []SelectCase) (chosen int, received bool) { return rselect(cases) }
