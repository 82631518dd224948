package lawtest

import (
	"reflect"
	"strings"
)

// rounds is how often a method is called by two goroutines at once.
const rounds = 10

// together calls each method of a value that works from two goroutines at once: both calls are
// right or refused. Methods that Apart names, with the reason that their documentation gives, are
// left out.
func (c *check) together(s State) {
	c.each(s, func(m method) {
		if c.apart(m.name) {
			return
		}
		for range rounds {
			receiver := reflect.ValueOf(s.New())
			_, unqualified, _ := strings.Cut(m.name, ".")
			twice := receiver.MethodByName(unqualified)
			for _, o := range c.atOnce(twice, twice, nil) {
				c.judge(m.name+" twice at once", o, true)
			}
			c.Done(receiver.Interface())
		}
	})
}

// apart reports whether a method, or all of its type by a row that ends in "*", is left out.
func (c *check) apart(method string) bool {
	receiver, _, _ := strings.Cut(method, ".")
	_, one := c.Apart[method]
	_, all := c.Apart[receiver+".*"]
	return one || all
}
