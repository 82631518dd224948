// Package deadlock ends cells that wait for ever, where that is known. Engines share it.
//
// A deadlock is known where every goroutine of the cells waits for channels that cells made, or for
// locks, and nothing else can end one of those waits. That they all wait is what they say
// themselves, before and after an instant at which the runtime says that they are parked
// (snapshot.go): one that was woken is not, and one that waits again has another turn. That there
// is nothing else: the same instant shows no goroutine that compiled code of unknown intent started
// (watch.go), and cells never handed over what could be used without one (wakers.go).
package deadlock
