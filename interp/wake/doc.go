// Package wake wakes goroutines that are parked in a send or receive of a channel, without a value and without closing the channel: an
// interrupt. The channel and all others that wait for it are as if those that are woken had never come.
//
// Compiled Go can only wait for several things at once to be woken by one of them, and a select of two channels takes twice what a receive of
// one does. So a goroutine parks as compiled code does, and who wakes it does for this one what closing a channel does for each
// (runtime/chan.go): under the channel's lock it is taken out of the queue, and made ready after.
//
//	Waiters -> Wake -> out of the queue (queue.go) under the lock (lock.go) -> ready
//
// A receive that is woken has received nothing, from nobody; a send that is woken returns as if it had sent, because the runtime knows no
// other end of one on an open channel. Who was woken must therefore look at Waiter.Woken before it believes what it got.
//
// The layouts are those of one Go release (queue.go); another does not build. Works proves once, by what happens (selfcheck.go), that goroutines
// can be woken in this process: on a receive, on a send and between others, with the channel as good as new after. Where it
// says no nobody may park.
package wake
