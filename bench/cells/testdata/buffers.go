package main

import "bytes"

func work() int {
	var b bytes.Buffer
	for i := 0; i < 3_000; i++ {
		b.WriteByte(byte('a' + i%26))
		if i%10 == 0 {
			b.WriteString("\n")
		}
	}
	n := 0
	for {
		line, err := b.ReadBytes('\n')
		n += len(line) * len(bytes.TrimSpace(line))
		if err != nil {
			break
		}
	}
	return n
}
