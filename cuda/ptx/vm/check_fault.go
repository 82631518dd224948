package vm

import "github.com/vyre-kernel/vyre-kernel/cuda/driver"

// Fault is what a kernel did wrong; see driver.Fault for the fields. Launch sets
// all of them but the number of the launch and the parameter's name, which its
// caller knows.
type Fault = driver.Fault

// Dim3 is an extent or an index in three dimensions.
type Dim3 = driver.Dim3
