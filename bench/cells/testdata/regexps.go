package main

import (
	"regexp"
	"strings"
)

type address struct{ user, host string }

// parse takes an address apart by hand.
func parse(s string) (a address, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == '@' {
			return address{s[:i], s[i+1:]}, true
		}
	}
	return a, false
}

func work() int {
	re := regexp.MustCompile(`(\w+)@(\w+)\.com`)
	text := strings.Repeat("write to ann@example.com or bob@test.com, not to nobody. ", 50)
	n := 0
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		n += len(m[1])
	}
	n += len(strings.ToUpper(re.ReplaceAllString(text, "$2")))
	hosts := map[string]int{}
	hidden := re.ReplaceAllStringFunc(text, func(s string) string {
		a, ok := parse(s)
		if !ok {
			return s
		}
		hosts[a.host]++
		return strings.Repeat("*", len(a.user)) + "@" + a.host
	})
	for i := 0; i < len(hidden); i++ {
		if hidden[i] == '*' {
			n++
		}
	}
	return n + 1000*hosts["test.com"]
}
