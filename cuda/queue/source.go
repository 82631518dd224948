package queue

import (
	"fmt"
	"slices"
	"strings"
)

// A kernel is a run of stages in one launch.
type kernel struct {
	name        string
	first, last int
	// loads are the places it reads from memory (fromInput among them), stores those it writes:
	// results that a later launch or the host reads, and the last stage's.
	loads, stores []int
}

// kernels cuts a pipeline into launches of so many stages each.
func (p Pipeline) kernels(prefix string, sizes []int) ([]kernel, error) {
	reads, err := p.reads()
	if err != nil {
		return nil, err
	}
	last := make([]int, len(reads)) // the last stage that reads each
	for i, list := range reads {
		for _, from := range list {
			if from != fromInput {
				last[from] = i
			}
		}
	}
	var out []kernel
	at := 0
	for n, size := range sizes {
		k := kernel{name: fmt.Sprint(prefix, n), first: at, last: at + size - 1}
		for i := k.first; i <= k.last; i++ {
			for _, from := range reads[i] {
				if from < k.first && !slices.Contains(k.loads, from) {
					k.loads = append(k.loads, from)
				}
			}
			if last[i] > k.last || last[i] == 0 || p.Stages[i].OnHost {
				k.stores = append(k.stores, i)
			}
		}
		out = append(out, k)
		at += size
	}
	return out, nil
}

// fusionText is a module with the stages' functions and with kernels.
func fusionText(p Pipeline, lists ...[]kernel) (string, error) {
	reads, err := p.reads()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(header)
	for _, s := range p.Stages {
		b.WriteString(s.PTX + "\n")
	}
	for _, list := range lists {
		for _, k := range list {
			k.write(&b, p, reads)
		}
	}
	return b.String(), nil
}

// write is an entry that gives each element to the functions, one after the other: what one passes
// to another stays in a register.
func (k kernel) write(b *strings.Builder, p Pipeline, reads [][]int) {
	fmt.Fprintf(b, ".visible .entry %s(", k.name)
	for i := range len(k.loads) + len(k.stores) {
		fmt.Fprintf(b, ".param .u64 b%d, ", i)
	}
	fmt.Fprintf(b, `.param .u32 n)
{
	.reg .pred %%p;
	.reg .f32 %%in, %%v<%d>;
	.reg .b32 %%r<6>;
	.reg .b64 %%base, %%offset, %%at;

	ld.param.u32 %%r1, [n];
	mov.u32 %%r2, %%ctaid.x;
	mov.u32 %%r3, %%ntid.x;
	mov.u32 %%r4, %%tid.x;
	mad.lo.u32 %%r5, %%r2, %%r3, %%r4;
	setp.ge.u32 %%p, %%r5, %%r1;
	@%%p bra DONE;
	mul.wide.u32 %%offset, %%r5, 4;
`, len(p.Stages))
	for i, from := range k.loads {
		k.address(b, i)
		fmt.Fprintf(b, "\tld.global.f32 %s, [%%at];\n", register(from))
	}
	for i := k.first; i <= k.last; i++ {
		call(b, p.Stages[i].Name, reads[i], i)
	}
	for i, at := range k.stores {
		k.address(b, len(k.loads)+i)
		fmt.Fprintf(b, "\tst.global.f32 [%%at], %s;\n", register(at))
	}
	b.WriteString("DONE:\n\tret;\n}\n\n")
}

// address computes where the element lies in a buffer.
func (k kernel) address(b *strings.Builder, param int) {
	fmt.Fprintf(b, "\tld.param.u64 %%base, [b%d];\n\tadd.u64 %%at, %%base, %%offset;\n", param)
}

// register holds a stage's result, or the pipeline's input.
func register(place int) string {
	if place == fromInput {
		return "%in"
	}
	return fmt.Sprintf("%%v%d", place)
}

// call passes registers to a stage's function.
func call(b *strings.Builder, function string, reads []int, to int) {
	b.WriteString("\t{\n\t\t.param .f32 y;\n\t\t.param .b32 i;\n")
	names := make([]string, len(reads))
	for i := range reads {
		names[i] = fmt.Sprint("x", i)
		fmt.Fprintf(b, "\t\t.param .f32 %s;\n", names[i])
	}
	for i, from := range reads {
		fmt.Fprintf(b, "\t\tst.param.f32 [%s], %s;\n", names[i], register(from))
	}
	fmt.Fprintf(b, "\t\tst.param.b32 [i], %%r5;\n\t\tcall (y), %s, (%s, i);\n\t\tld.param.f32 %s, [y];\n\t}\n",
		function, strings.Join(names, ", "), register(to))
}
