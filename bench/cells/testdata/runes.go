package main

import (
	"strings"
	"unicode"
)

func reverse(s string) string {
	r := []rune(s)
	for i, j := 0, len(r)-1; i < j; i, j = i+1, j-1 {
		r[i], r[j] = r[j], r[i]
	}
	return string(r)
}

func palindrome(s string) bool {
	var letters []rune
	for _, r := range s {
		if unicode.IsLetter(r) {
			letters = append(letters, unicode.ToLower(r))
		}
	}
	for i := range letters {
		if letters[i] != letters[len(letters)-1-i] {
			return false
		}
	}
	return true
}

func work() int {
	n := 0
	for i := 0; i < 200; i++ {
		s := "A man, a plan, a canal: Panamá é"
		if palindrome(s) {
			n++
		}
		if palindrome("Never odd or even") {
			n += 2
		}
		n += strings.Count(reverse(s), "a")
	}
	return n
}
