package gorelease

import (
	"errors"
	"reflect"
	"unsafe"
)

// ChanElems is the fact that channels of cells are told from others by.
var ChanElems = &Fact{
	Name:    "runtime.hchan.elemtype",
	Why:     "a channel that a cell made is known: nobody else can wake those that wait for it",
	Without: "a cell ends when all its goroutines wait for its own channels for good: it waits until it is interrupted",
	check:   checkChanElems,
}

// hchan is how runtime.hchan begins.
type hchan struct {
	qcount, dataqsiz uint
	buf              unsafe.Pointer
	elemsize         uint16
	closed           uint32
	timer            unsafe.Pointer
	elemtype         *Type
}

// ChanElem is the type of the elements of a channel, which the runtime uses to copy and clear them;
// nil where that cannot be told.
func ChanElem(ch unsafe.Pointer) *Type {
	if !ChanElems.Holds() {
		return nil
	}
	return (*hchan)(ch).elemtype
}

func checkChanElems() error {
	plain := make(chan *probe, 3)
	plain <- nil
	c := *(**hchan)(unsafe.Pointer(&plain))
	if c.qcount != 1 || c.dataqsiz != 3 || c.elemtype != (*Chan)(compiledWord(reflect.TypeOf(plain))).Elem {
		return errors.New("a channel has another head")
	}
	return nil
}
