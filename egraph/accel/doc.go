// Package accel is what package egraph and an accelerator tell each other: a Job, the graph and the
// compiled rules as plain columns, and its Outcome. Package egraph/device has an Accelerator for CUDA
// devices; egraph.On takes one.
package accel
