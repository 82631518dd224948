package emulated

import (
	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx/vm"
)

func (c *context) EncodeTensorMap(t *driver.TensorMapConfig) (driver.TensorMap, error) {
	const call = "cuTensorMapEncodeTiled"
	if err := c.enter(call); err != nil {
		return driver.TensorMap{}, err
	}
	if err := t.Check(); err != nil {
		return driver.TensorMap{}, fail(call, driver.ErrorInvalidValue, "%v", err)
	}
	if t.Interleave != driver.TensorInterleaveNone {
		return driver.TensorMap{}, fail(call, driver.ErrorNotSupported,
			"emulated devices have no interleaved layouts of tensors")
	}
	return vm.EncodeTensorMap(t), nil
}

func (c *context) ReplaceTensorMapAddress(m *driver.TensorMap, p driver.DevicePtr) error {
	const call = "cuTensorMapReplaceAddress"
	if err := c.enter(call); err != nil {
		return err
	}
	t, err := vm.DecodeTensorMap(m)
	if err != nil {
		return fail(call, driver.ErrorInvalidValue, "%v", err)
	}
	t.Address = p
	if err := t.Check(); err != nil {
		return fail(call, driver.ErrorInvalidValue, "%v", err)
	}
	*m = vm.EncodeTensorMap(t)
	return nil
}
