package vm

import (
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"
)

// goidAt is where the runtime's descriptor of a goroutine has its number: 0 where that was not found. It is the place that is right for several
// goroutines: in a young process numbers are small, and others are the same by chance.
var goidAt = sync.OnceValue(func() uintptr {
	const goroutines = 12
	right := map[int]int{}
	for range goroutines {
		found := make(chan [goidWords]bool)
		go func() { found <- goidPlaces() }()
		for i, yes := range <-found {
			if yes {
				right[i]++
			}
		}
	}
	var at uintptr
	for i, n := range right {
		if n == goroutines {
			if at != 0 {
				return 0
			}
			at = uintptr(i) * unsafe.Sizeof(at)
		}
	}
	return at
})

// goidWords is how much of a descriptor is looked at.
const goidWords = 64

// goidPlaces are the words of the running goroutine's descriptor that hold its number.
func goidPlaces() (places [goidWords]bool) {
	var b [64]byte
	text, _, _ := strings.Cut(strings.TrimPrefix(string(b[:runtime.Stack(b[:], false)]), "goroutine "), " ")
	id, err := strconv.ParseUint(text, 10, 64)
	for i := range places {
		places[i] = err == nil && i > 1 && goidWord(getg(), uintptr(i)*8) == id
	}
	return places
}

// goidWord reads a word of a goroutine's descriptor. The runtime keeps descriptors for ever, for other goroutines after theirs.
//
//go:nocheckptr
func goidWord(gp, at uintptr) uint64 {
	return *(*uint64)(unsafe.Add(pointer(nil), gp+at))
}

// number is the runtime's number of the goroutine; 0 where it is not known, or has not begun.
func (g *routine) number() uint64 {
	gp, at := g.gp.Load(), goidAt()
	if gp == 0 || at == 0 {
		return 0
	}
	return goidWord(gp, at)
}
