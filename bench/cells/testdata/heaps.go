package main

import "container/heap"

type job struct {
	priority int
	name     string
}

type queue []job

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].priority < q[j].priority }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(job)) }
func (q *queue) Pop() any {
	old := *q
	n := len(old)
	x := old[n-1]
	*q = old[:n-1]
	return x
}

func work() int {
	q := &queue{}
	for i := 0; i < 1_000; i++ {
		heap.Push(q, job{i * 7919 % 1009, "job"})
	}
	sum := 0
	for i := 0; q.Len() > 0; i++ {
		sum += i * heap.Pop(q).(job).priority
	}
	return sum
}
