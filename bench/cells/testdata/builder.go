package main

import "strings"

func work() int {
	var b strings.Builder
	for i := 0; i < 50_000; i++ {
		b.WriteByte(byte('a' + i%26))
		b.WriteString("xyz")
	}
	return b.Len()
}
