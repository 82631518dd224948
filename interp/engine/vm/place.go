package vm

import "github.com/vyre-kernel/vyre-kernel/interp/engine/callers"

// Place is where the running goroutine's cell code is, "In[2]:3", for compiled code that it called;
// empty where that is no cell's.
func Place() string { return callers.Place(frames()) }
