package cuda

import "github.com/vyre-kernel/vyre-kernel/cuda/driver"

// While adds a loop, as Stream.While records one: body builds what runs for as long as the flag is
// not 0.
func (b *GraphBuilder) While(flag *Buffer, body func(*GraphBuilder), options ...NodeOption) *Node {
	return b.conditional("GraphBuilder.While", driver.ConditionalWhile, flag, options, body)
}

// If adds a choice, as Stream.If records one; otherwise may be nil.
func (b *GraphBuilder) If(flag *Buffer, then, otherwise func(*GraphBuilder), options ...NodeOption) *Node {
	bodies := []func(*GraphBuilder){then}
	if otherwise != nil {
		bodies = append(bodies, otherwise)
	}
	return b.conditional("GraphBuilder.If", driver.ConditionalIf, flag, options, bodies...)
}

func (b *GraphBuilder) conditional(op string, kind driver.ConditionalKind, flag *Buffer, options []NodeOption,
	bodies ...func(*GraphBuilder)) *Node {
	return b.addOn(op, options, []*Buffer{flag}, func(o settings, deps []driver.GraphNode) (*Node, driver.GraphNode,
		error) {
		if err := haveBodies(op, bodies); err != nil {
			return nil, 0, err
		}
		if err := flag.isFlag(op, b.dev); err != nil {
			return nil, 0, err
		}
		c, err := b.r.addCondition(op, b.graph, deps, kind, flag, len(bodies))
		if err != nil {
			return nil, 0, err
		}
		name := o.name
		if name == "" {
			name = kind.String()
		}
		n := b.r.addConditionNodes(kind, name, c)
		for i, build := range bodies {
			if n.bodies[i], err = b.body(c, i, build); err != nil {
				return nil, 0, err
			}
		}
		if kind == driver.ConditionalWhile {
			err = b.r.again(op, c, n.bodies[0])
		}
		return n, c.node, err
	})
}

// body builds one body. Its nodes are named with those outside, and its buffers held with theirs.
func (b *GraphBuilder) body(c *condition, i int, build func(*GraphBuilder)) (*graphBody, error) {
	inner := &GraphBuilder{dev: b.dev, graph: c.bodies[i], r: b.r.inBody(b.r.op, nil)}
	build(inner)
	inner.done = "what runs in the condition is built" // it is not to be built by itself
	b.r.keep = append(b.r.keep, inner.r.keep...)
	if err := inner.r.err(); err != nil {
		return nil, err
	}
	return &graphBody{title: bodyTitle(len(c.bodies), i), graph: c.bodies[i], nodes: inner.r.nodes}, nil
}
