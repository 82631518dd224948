package vm

// Waits on one channel, as compiled selects of it and of the channel that tells of a stop: sends and receives are the same for all
// types of one shape. Those of shapes that are not here go through package reflect.

var sends = map[shape]func(ch, val pointer, stop chan struct{}) bool{
	shapeEmpty: sendOr[struct{}], shape8: sendOr[uint8], shape16: sendOr[uint16], shape32: sendOr[uint32], shapeF32: sendOr[uint32],
	shape64: sendOr[uint64], shapeF64: sendOr[uint64], shapePtr: sendOr[pointer], shapeString: sendOr[string], shapeSlice: sendOr[[]byte],
	shapeIface: sendOr[pair],
}

var receives = map[shape]func(ch, to pointer, stop chan struct{}) (received, done bool){
	shapeEmpty: receiveOr[struct{}], shape8: receiveOr[uint8], shape16: receiveOr[uint16], shape32: receiveOr[uint32], shapeF32: receiveOr[uint32],
	shape64: receiveOr[uint64], shapeF64: receiveOr[uint64], shapePtr: receiveOr[pointer], shapeString: receiveOr[string], shapeSlice: receiveOr[[]byte],
	shapeIface: receiveOr[pair],
}

// sendOr sends the value at val; false if stop was closed before.
func sendOr[T any](ch, val pointer, stop chan struct{}) bool {
	select {
	case *(*chan T)(pointer(&ch)) <- *(*T)(val):
		return true
	case <-stop:
		return false
	}
}

// receiveOr receives into to; done is false if stop was closed before.
func receiveOr[T any](ch, to pointer, stop chan struct{}) (received, done bool) {
	select {
	case *(*T)(to), received = <-*(*chan T)(pointer(&ch)):
		return received, true
	case <-stop:
		return false, false
	}
}

// untilStopped waits; where the run is stopped, the goroutine ends here.
func (g *routine) untilStopped(wait func(stop chan struct{}) bool) {
	if !wait(g.stopping()) {
		g.stopNow()
		wait(nil) // The run was stopped before, and this is a deferred call that waits: for the channel alone.
	}
}
