package main

import (
	"fmt"
	"strings"
)

func work() int {
	var b strings.Builder
	for i := 0; i < 20_000; i++ {
		b.WriteString(fmt.Sprint("item", i))
		b.WriteByte(' ')
	}
	n := 0
	for _, w := range strings.Fields(b.String()) {
		if strings.HasSuffix(w, "7") {
			n += len(strings.ToUpper(w))
		}
	}
	return n
}
