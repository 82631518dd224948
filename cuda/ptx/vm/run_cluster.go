package vm

import (
	"fmt"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm/checks"
)

// Clusters (section 2.2.2): blocks that run together, wait for each other and access each other's shared
// memory. One worker runs all blocks of a cluster, in turns.

// The most blocks of a cluster that every device of the architecture runs, and that this one does where the
// kernel is allowed more.
const (
	PortableCluster = 8
	MaxCluster      = 16
)

// cluster is the blocks of one at work, by rank.
type cluster struct {
	blocks []*block
	left   int          // not run to their end
	view   *checks.View // what those know that have arrived in this phase of the barrier, and released it
	places places       // in the shared memory of all blocks
}

// clusterState is what a block knows of its cluster.
type clusterState struct {
	of    *cluster
	rank  int
	armed laneBits // have arrived and not waited since
	here  laneBits // have arrived in this phase
	waits []clusterWait
	known *checks.View     // what the phase before has brought
	races *checks.Shadow   // of shared memory, where others may access it
	came  [2][]clusterCame // of each lane, its last arrival and its last wait; isa_clusterbarrier.go
}

// clusterWait is where lanes wait for their cluster and where they go on.
type clusterWait struct {
	in   *ptx.Instruction
	next int
	bits laneBits
}

// Cluster gives how many blocks a cluster of a launch has along each axis.
func (k *Kernel) cluster(cfg *Launch) Dim3 {
	switch d := k.Func.RequiredCluster; {
	case cfg.Cluster != Dim3{}:
		return cfg.Cluster
	case product(d) > 0:
		return Dim3{X: uint32(d[0]), Y: uint32(d[1]), Z: uint32(d[2])}
	}
	return Dim3{X: 1, Y: 1, Z: 1}
}

// checkCluster refuses clusters that cannot be.
func (k *Kernel) checkCluster(cfg *Launch) error {
	refuse := func(code driver.Result, format string, args ...any) error {
		return &LaunchError{k.Name, fmt.Sprintf(format, args...), code}
	}
	c, g, r := k.cluster(cfg), cfg.Grid, k.Func.RequiredCluster
	size, _ := c.Count()
	given := cfg.Cluster != Dim3{}
	most := uint64(PortableCluster)
	if cfg.NonPortableCluster {
		most = MaxCluster
	}
	switch {
	case given && (c.X == 0 || c.Y == 0 || c.Z == 0):
		return refuse(driver.ErrorInvalidValue, "cluster %v: no extent may be zero", c)
	case given && product(r) > 0 && (uint32(r[0]) != c.X || uint32(r[1]) != c.Y || uint32(r[2]) != c.Z):
		return refuse(driver.ErrorInvalidClusterSize, "cluster %v: the kernel was compiled for %d×%d×%d "+
			"(.reqnctapercluster): leave the size out", c, r[0], r[1], r[2])
	case !given && product(r) == 0 && k.Func.ExplicitCluster:
		return refuse(driver.ErrorInvalidClusterSize, "no cluster: the kernel is one for clusters (.explicitcluster): "+
			"launch it with a cluster's size")
	case k.Func.MaxCluster > 0 && size > uint64(k.Func.MaxCluster):
		return refuse(driver.ErrorInvalidClusterSize, "cluster %v of %d blocks: the kernel was compiled for at most %d "+
			"(.maxclusterrank)", c, size, k.Func.MaxCluster)
	case size > most && size <= MaxCluster:
		return refuse(driver.ErrorInvalidClusterSize, "cluster %v of %d blocks: at most %d, or %d of a kernel that is "+
			"allowed sizes that not all devices have (FuncNonPortableClusterSizeAllowed)", c, size, PortableCluster, MaxCluster)
	case size > most:
		return refuse(driver.ErrorInvalidClusterSize, "cluster %v of %d blocks: at most %d", c, size, most)
	case g.X%c.X != 0 || g.Y%c.Y != 0 || g.Z%c.Z != 0:
		return refuse(driver.ErrorInvalidClusterSize, "grid %v is no multiple of cluster %v along each axis: "+
			"launch a grid that is, "+
			"and let the blocks beyond return", g, c)
	}
	return nil
}

// place gives the block of a rank in the i-th cluster of the grid.
func (l *launch) place(i uint64, rank int) (at Dim3, linear uint64) {
	c, r := l.shape, uint32(rank)
	gx, gy := uint64(l.Grid.X/c.X), uint64(l.Grid.Y/c.Y)
	at = Dim3{X: uint32(i%gx)*c.X + r%c.X, Y: uint32(i/gx%gy)*c.Y + r/c.X%c.Y, Z: uint32(i/gx/gy)*c.Z + r/c.X/c.Y}
	return at, uint64(at.X) + uint64(l.Grid.X)*(uint64(at.Y)+uint64(l.Grid.Y)*uint64(at.Z))
}

// admitCluster starts the i-th cluster of the grid, and gives its first block.
func (w *worker) admitCluster(i uint64) *block {
	l := w.launch
	c := &cluster{left: l.clusterSize}
	for rank := range l.clusterSize {
		b := w.fresh()
		c.blocks = append(c.blocks, b)
		b.cluster = clusterState{of: c, rank: rank, races: b.cluster.races}
		b.shareMemory()
	}
	for rank, b := range c.blocks {
		at, linear := l.place(i, rank)
		b.reset(linear, at)
	}
	w.resident = append(w.resident, c.blocks[1:]...)
	return c.blocks[0]
}

// shareMemory makes the race check's memory of what other blocks may access too.
func (b *block) shareMemory() {
	s := &b.cluster
	if !b.code.options.Races || b.launch.clusterSize == 1 || len(b.shared) == 0 {
		s.races = nil
		return
	}
	if s.races == nil {
		s.races = checks.NewShadow(uint64(len(b.shared)))
		s.races.Alone = true
	}
	s.races.Clear()
}

// done ends a block of a cluster; it reports whether that was the last, so that all may be used again.
func (s *clusterState) done() bool {
	s.of.left--
	return s.of.left == 0
}

// exitCluster tells the cluster that threads have exited.
func (b *block) exitCluster() {
	b.cluster.of.check(b)
	if b.live.empty() {
		b.gone()
	}
}

// gone makes other blocks look again at the shared memory of a block whose threads have exited.
func (b *block) gone() {
	for _, other := range b.cluster.of.blocks {
		for i := range other.sites {
			if s := &other.sites[i]; s.peer {
				*s = segment{}
			}
		}
	}
}

func buildClusterBarrier(c *compiler) error {
	in, next := c.in, c.next
	if in.Has("arrive") {
		release := !in.Has("relaxed")
		c.emit(func(b *block) {
			if b.alignedInCluster(in, arrivals) {
				b.arriveAtCluster(release)
			}
		})
		return nil
	}
	c.end = func(b *block) {
		if b.alignedInCluster(in, clusterWaits) {
			b.waitForCluster(in, next)
		}
	}
	return nil
}

func (b *block) arriveAtCluster(release bool) {
	s := &b.cluster
	twice := s.armed
	twice.intersect(&b.bits)
	if !twice.empty() {
		b.raise(driver.FaultBarrierDivergence, &twice,
			"the threads have arrived at the cluster's barrier before, and have not "+
				"waited at it since")
		return
	}
	s.armed.union(&b.bits)
	s.here.union(&b.bits)
	if release && b.code.options.Races {
		s.of.view = s.of.view.Join(b.notice(&b.bits, b.tick()).View())
	}
	b.progress()
	s.of.check(b)
}

func (b *block) waitForCluster(in *ptx.Instruction, next int) {
	s := &b.cluster
	without := b.bits
	without.minus(&s.armed)
	if !without.empty() {
		b.raise(driver.FaultBarrierDivergence, &without,
			"the threads wait at the cluster's barrier and have not arrived at it")
		return
	}
	s.armed.minus(&b.bits)
	passed, waiting := b.bits, b.bits
	passed.minus(&s.here)
	waiting.intersect(&s.here)
	b.clearActive()
	if !passed.empty() {
		b.learn(&passed, s.known)
		b.addGroup(next, &passed)
	}
	if !waiting.empty() {
		s.waits = append(s.waits, clusterWait{in, next, waiting})
	}
}

// learn lets lanes know a view beside what they know.
func (b *block) learn(set *laneBits, v *checks.View) {
	if v == nil {
		return
	}
	r := &b.races
	r.lists(b.n)
	var from, to *checks.View
	set.each(func(l int) {
		if r.views[l] != from || to == nil {
			from = r.views[l]
			to = from.Join(v)
		}
		r.views[l] = to
	})
}

// check ends the phase of the barrier when all threads that have not exited have arrived; by tells what is wrong then.
func (c *cluster) check(by *block) {
	some := false
	for _, b := range c.blocks {
		missing := b.live
		missing.minus(&b.cluster.here)
		if !missing.empty() {
			return
		}
		some = some || !b.cluster.here.empty()
	}
	if !some {
		return
	}
	for _, b := range c.blocks {
		if !b.wholeWarpsCame() {
			by.fault = b.fault // of the block at work
			return
		}
		s := &b.cluster
		s.known, s.here = c.view, laneBits{}
		for _, w := range s.waits {
			b.learn(&w.bits, c.view)
			b.addGroup(w.next, &w.bits)
		}
		s.waits = nil
		b.progress()
	}
	c.view = nil
}

// stuck reports whether no block of the cluster can go on.
func (c *cluster) stuck() bool {
	for _, b := range c.blocks {
		if b.count > 0 || len(b.groups) > 0 {
			return false
		}
	}
	return true
}

// raiseStuck says who waits for the cluster's barrier, and who does not come.
func (b *block) raiseStuck() {
	var parts []string
	for rank, other := range b.cluster.of.blocks {
		waiting := 0
		for _, w := range other.cluster.waits {
			waiting += w.bits.count()
		}
		at := other.ctaid
		switch n := other.live.count(); {
		case n == 0:
			parts = append(parts, fmt.Sprintf("all threads of block (%d,%d,%d), rank %d, have exited", at.X, at.Y, at.Z, rank))
		default:
			parts = append(parts, fmt.Sprintf("%d of %d threads of block (%d,%d,%d), rank %d, wait",
				waiting, n, at.X, at.Y, at.Z, rank))
		}
	}
	w := b.cluster.waits[0]
	b.raise(driver.FaultDeadlock, &w.bits, "no thread of the cluster can go on: at its barrier "+strings.Join(parts, "; "))
	b.placeFault(w.in)
}

func (s *laneBits) intersect(o *laneBits) {
	for i := range s {
		s[i] &= o[i]
	}
}

// clusterSpecials are the special registers of clusters.
var clusterSpecials = map[string]func(b *block, l int) uint64{
	"%clusterid.x": func(b *block, _ int) uint64 { return uint64(b.ctaid.X / b.launch.shape.X) },
	"%clusterid.y": func(b *block, _ int) uint64 { return uint64(b.ctaid.Y / b.launch.shape.Y) },
	"%clusterid.z": func(b *block, _ int) uint64 { return uint64(b.ctaid.Z / b.launch.shape.Z) },

	"%nclusterid.x": func(b *block, _ int) uint64 { return uint64(b.launch.Grid.X / b.launch.shape.X) },
	"%nclusterid.y": func(b *block, _ int) uint64 { return uint64(b.launch.Grid.Y / b.launch.shape.Y) },
	"%nclusterid.z": func(b *block, _ int) uint64 { return uint64(b.launch.Grid.Z / b.launch.shape.Z) },

	"%cluster_ctaid.x": func(b *block, _ int) uint64 { return uint64(b.ctaid.X % b.launch.shape.X) },
	"%cluster_ctaid.y": func(b *block, _ int) uint64 { return uint64(b.ctaid.Y % b.launch.shape.Y) },
	"%cluster_ctaid.z": func(b *block, _ int) uint64 { return uint64(b.ctaid.Z % b.launch.shape.Z) },

	"%cluster_nctaid.x": func(b *block, _ int) uint64 { return uint64(b.launch.shape.X) },
	"%cluster_nctaid.y": func(b *block, _ int) uint64 { return uint64(b.launch.shape.Y) },
	"%cluster_nctaid.z": func(b *block, _ int) uint64 { return uint64(b.launch.shape.Z) },

	"%cluster_ctarank":  func(b *block, _ int) uint64 { return uint64(b.cluster.rank) },
	"%cluster_nctarank": func(b *block, _ int) uint64 { return uint64(b.launch.clusterSize) },
	"%is_explicit_cluster": func(b *block, _ int) uint64 {
		if b.launch.Cluster != (Dim3{}) || product(b.launch.kernel.Func.RequiredCluster) > 0 {
			return 1
		}
		return 0
	},
}

func init() {
	for name, f := range clusterSpecials {
		specialValues[name] = f
	}
}
