// Package plan decides, by arithmetic alone, how work will be put on a device: which adjacent
// stages share a launch, how large a resident work queue is and in how many launches it drains. It
// imports nothing of cuda, so a plan can be made, tested and looked at on any machine; cuda/queue
// runs plans.
//
// The way of the data: stages and a budget go into LaunchFusion (fusion.go, greedy over
// neighbours), or with the edges between them into DataflowFusion (dataflow.go checks the graph,
// peak.go follows what is alive, partition.go chooses the cuts); a queue's profile goes into
// WorkQueue and Drain (queue.go). Sums are checked (budget.go), what cannot be planned is a typed
// error (errors.go), and every plan answers with its table (report.go), a fusion plan also with
// what a drawing of it needs (picture.go).
package plan
