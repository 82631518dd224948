package main

import (
	"regexp"
	"strings"
)

func work() int {
	re := regexp.MustCompile(`(\w+)@(\w+)\.com`)
	text := strings.Repeat("write to ann@example.com or bob@test.com, not to nobody. ", 50)
	n := 0
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		n += len(m[1])
	}
	return n + len(strings.ToUpper(re.ReplaceAllString(text, "$2")))
}
