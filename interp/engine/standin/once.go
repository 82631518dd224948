package standin

import (
	"sync"

	"github.com/vyre-kernel/vyre-kernel/interp/gorelease"
)

// DoOnce is (*sync.Once).Do with another way to lock.
func DoOnce(o *sync.Once, f func(), lock func(*sync.Mutex)) {
	done, m := gorelease.OnceState(o)
	if done == nil {
		o.Do(f)
		return
	}
	if done.Load() {
		return
	}
	lock(m)
	defer m.Unlock()
	if !done.Load() {
		defer done.Store(true)
		f()
	}
}
