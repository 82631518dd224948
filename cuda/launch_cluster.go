package cuda

import (
	"fmt"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
)

// Clusters of blocks (compute capability 9.0 and newer): blocks that run together and access each
// other's shared memory.

// portableCluster is how many blocks a cluster has on every device that has clusters, mostCluster
// on some.
const (
	portableCluster = 8
	mostCluster     = 16
)

// Cluster asks for clusters of x, x*y or x*y*z blocks, which divide the grid along each axis. A
// kernel that was compiled for clusters of one size (__cluster_dims__) needs no such option.
func Cluster(x int, yz ...int) KernelOption {
	d, asked := dim(x, yz)
	o := option{kind: "Cluster", asked: fmt.Sprintf("Cluster(%v)", d), want: unless(asked == "", "extents of 1 or more"),
		set: func(o *settings) { o.cluster = d }}
	if asked != "" {
		o.asked = "Cluster(" + asked + ")"
	}
	return &kernelOption{o}
}

// AllowLargeClusters allows launches of this kernel clusters of more than 8 blocks, up to 16, which
// not every device of the architecture runs.
func (k *Kernel) AllowLargeClusters() error {
	const op = "Kernel.AllowLargeClusters"
	if err := k.check(op); err != nil {
		return err
	}
	return wrap(op, k.name, k.fn.SetAttribute(driver.FuncNonPortableClusterSizeAllowed, 1))
}

// checkCluster refuses clusters that the device or the grid does not have.
func (k *Kernel) checkCluster(op string, grid GridDim, c driver.Dim3) error {
	if n, err := k.mod.dev.dev.Attribute(driver.AttrClusterLaunch); err != nil || n == 0 {
		return &Error{Op: op, What: "kernel " + k.name, Want: "a device with clusters, of compute capability 9.0 or newer",
			Got: k.mod.dev.info.Name, Err: err, code: driver.ErrorNotSupported}
	}
	size, ok := c.Count()
	if g := grid.dim3(); g.X%c.X != 0 || g.Y%c.Y != 0 || g.Z%c.Z != 0 {
		return &Error{Op: op, What: "kernel " + k.name, Want: fmt.Sprintf("a grid that clusters of %v blocks divide", c),
			Got: fmt.Sprintf("grid %v", g), Fix: "round the grid up, and let the blocks beyond return"}
	}
	if !ok || size > mostCluster {
		return &Error{Op: op, What: "kernel " + k.name, Want: fmt.Sprintf("at most %d blocks in a cluster", mostCluster),
			Got: fmt.Sprintf("%v", c), code: driver.ErrorInvalidClusterSize}
	}
	if size <= portableCluster {
		return nil
	}
	far, err := k.fn.Attribute(driver.FuncNonPortableClusterSizeAllowed)
	if err != nil || far != 0 {
		return wrap(op, k.name, err)
	}
	return &Error{Op: op, What: "kernel " + k.name, Want: fmt.Sprintf("at most %d blocks in a cluster", portableCluster),
		Got: fmt.Sprintf("%v, %d blocks", c, size), Fix: "Kernel.AllowLargeClusters first, or smaller clusters",
		code: driver.ErrorInvalidClusterSize}
}
