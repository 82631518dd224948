// Package gorelease holds what this project knows of the Go release that it is built with: the
// layouts of the runtime's data, field for field, in files whose names end in the release. What
// looks into the runtime takes its layouts from here; Check reports whether they hold for the
// binary.
package gorelease
