package serve

import "fmt"

// A NotSupervisedError is returned by Process in a process that no supervisor started.
type NotSupervisedError struct {
	// Missing is what a supervisor would have given: an environment variable or a descriptor.
	Missing string
}

func (e *NotSupervisedError) Error() string {
	return fmt.Sprintf("worker: this command is started by the kernel, which talks to it over inherited pipes; run "+
		"by hand it has nobody to serve (%s is missing): use the kernel command", e.Missing)
}
