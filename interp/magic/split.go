package magic

import "strings"

// Split takes the commands off the front of a cell: lines that start with % or !, up to the first
// other line that is not blank. Comment lines between and above them are left out with them. A
// %%name takes the whole rest, a !command the next line too where its line ends with \. A line that
// starts with ! is Go, and so is what follows, where declared knows the name behind it and the
// shell does not. rest is the cell with the commands blanked out, so that positions stay.
func Split(source string, declared func(name string) bool) (calls []*Call, rest string) {
	at, text := 0, 0 // text begins after the last command
	for at < len(source) {
		end := at + strings.IndexByte(source[at:]+"\n", '\n')
		line := source[at:end]
		word := strings.TrimLeft(line, " \t")
		start := at + len(line) - len(word)
		switch {
		case strings.TrimSpace(word) == "", strings.HasPrefix(word, "//"):
			at = end + 1
			continue
		case strings.HasPrefix(word, "%%"):
			c := parse(word)
			c.Body = source[min(end+1, len(source)):]
			c.Source = blanked(source[:min(end+1, len(source))]) + c.Body
			return append(calls, c), blanked(source)
		case word[0] == '%':
			c := parse(word)
			argAt := start + len(word) - len(strings.TrimLeft(word[len(c.Name):], " \t"))
			c.Source = blanked(source[:argAt]) + source[argAt:end]
			calls = append(calls, c)
		case word[0] == '!' && !isGo(word[1:], declared):
			end = continued(source, end)
			calls = append(calls, &Call{Name: "!", Args: strings.TrimSpace(source[start+1 : end])})
		default:
			return calls, blanked(source[:text]) + source[text:]
		}
		at, text = end+1, end+1
	}
	if text == 0 {
		return nil, source
	}
	return calls, ""
}

// GoesOn reports whether a command's last line goes on in one that is not there.
func (c *Call) GoesOn() bool {
	return c.Name == "!" && (len(c.Args)-len(strings.TrimRight(c.Args, "\\")))%2 == 1
}

// continued is where a line ends that ends at end, with those that it goes on in: a \ before the
// end is no other's.
func continued(source string, end int) int {
	for end < len(source) {
		line := strings.TrimSuffix(source[:end], "\r")
		if slashes := len(line) - len(strings.TrimRight(line, "\\")); slashes%2 == 0 {
			break
		}
		end += 1 + strings.IndexByte(source[end+1:]+"\n", '\n')
	}
	return end
}

func parse(word string) *Call {
	name, args, _ := strings.Cut(word, " ")
	if tab := strings.IndexByte(name, '\t'); tab >= 0 {
		name, args = name[:tab], word[tab:]
	}
	return &Call{Name: strings.TrimRight(name, "\r"), Args: strings.TrimSpace(args)}
}

// blanked keeps the lines of a text, and how many bytes they have, and nothing in them.
func blanked(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
	return string(b)
}
