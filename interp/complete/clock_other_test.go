//go:build !linux

package complete_test

import "time"

// spent is the time that do takes.
func spent(do func()) time.Duration {
	began := time.Now()
	do()
	return time.Since(began)
}
