// Package queue runs what package plan plans: it drains a resident work queue on a device, and
// executes fusion plans, and sets what was measured beside what was planned in one table.
//
// The way of a drain: New (queue.go) checks the plan against the item type and the device, puts the
// workload's PTX between the halves of our own (ptx/reserve.ptx, ptx/drain.ptx) and allocates queue
// and control words as planned; Run (run.go) writes the first items, enqueues the planned launches
// without waiting, and reads the final state; what did not fit comes back (errors.go), nothing is
// lost. tree.go is a workload.
//
// The way of a fusion plan: a Pipeline (pipeline.go) is stages, each a PTX function of what it
// reads; Execute (fusion.go) writes one kernel a group and one a stage (source.go), runs both, and
// compares results, launches and bytes.
package queue
