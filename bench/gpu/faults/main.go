// Command faults runs one kernel of the fault corpus (cuda/ptx/testdata/faults) the way its test
// does: 64 threads, p with 64 ints and o with 64 ints that nothing has written. On a GPU it is what
// compute-sanitizer looks at; with -emulated it prints what the emulated device says.
//
//	faults [-emulated] TEXT.ptx KERNEL
//	faults -list TEXT.ptx
package main

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/vyre-kernel/vyre-kernel/cuda/driver"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/emulated"
	"github.com/vyre-kernel/vyre-kernel/cuda/driver/native"
	"github.com/vyre-kernel/vyre-kernel/cuda/ptx"
)

func main() {
	onEmulated := flag.Bool("emulated", false, "run on the emulated device")
	list := flag.Bool("list", false, "name the kernels")
	flag.Parse()
	if err := run(flag.Args(), *onEmulated, *list); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string, onEmulated, list bool) error {
	if len(args) != 2 && !(list && len(args) == 1) {
		return errors.New("usage: faults [-emulated] TEXT.ptx KERNEL, or faults -list TEXT.ptx")
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	if list {
		return names(args[0], text)
	}
	d := native.New()
	if onEmulated {
		d = emulated.New()
	}
	err = launch(d, text, args[1])
	var f *driver.Fault
	switch {
	case onEmulated && errors.As(err, &f):
		fmt.Printf("%s at line %d\n", f.Kind, f.Line)
		return nil
	case onEmulated && err == nil:
		fmt.Println("-")
	}
	return err
}

func names(file string, text []byte) error {
	m, err := ptx.Parse(file, string(text))
	if err != nil {
		return err
	}
	for _, k := range m.Kernels() {
		fmt.Println(k.Name)
	}
	return nil
}

func launch(d driver.Driver, text []byte, kernel string) error {
	ctx, err := open(d)
	if err != nil {
		return err
	}
	m, log, err := ctx.LoadModule(text, driver.JITOptions{})
	if err != nil {
		return fmt.Errorf("%w\n%s", err, log.Error)
	}
	f, err := m.Function(kernel)
	if err != nil {
		return err
	}
	params, err := arguments(ctx, kernel)
	if err != nil {
		return err
	}
	cfg := &driver.LaunchConfig{Grid: driver.Dim3{X: 1, Y: 1, Z: 1}, Block: driver.Dim3{X: 64, Y: 1, Z: 1},
		SharedBytes: 256}
	if strings.Contains(kernel, "block") || strings.Contains(kernel, "flag") {
		cfg.Grid.X = 2
	}
	if err := f.Launch(cfg, params); err != nil {
		return err
	}
	return ctx.Synchronize()
}

func open(d driver.Driver) (driver.Context, error) {
	if err := d.Init(); err != nil {
		return nil, err
	}
	dev, err := d.Device(0)
	if err != nil {
		return nil, err
	}
	return dev.NewContext()
}

// arguments makes p and o; kernels about freed memory get p freed.
func arguments(ctx driver.Context, kernel string) ([]byte, error) {
	var raw, params []byte
	for i := range uint32(64) {
		raw = binary.LittleEndian.AppendUint32(raw, i)
	}
	p, err := ctx.Alloc(256)
	if err != nil {
		return nil, err
	}
	if err := ctx.CopyHtoD(p, raw); err != nil {
		return nil, err
	}
	if strings.HasPrefix(kernel, "f_uaf") {
		if err := ctx.Free(p); err != nil {
			return nil, err
		}
	}
	o, err := ctx.Alloc(256)
	if err != nil {
		return nil, err
	}
	params = binary.LittleEndian.AppendUint64(params, uint64(p))
	return binary.LittleEndian.AppendUint64(params, uint64(o)), nil
}
