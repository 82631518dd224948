package magic

import "strings"

// Split takes the commands off the front of a cell: lines that start with % or !, up to the first
// other line that is not blank. Comment lines between and above them are left out with them. A %%name takes
// the whole rest. rest is the cell with the commands blanked out, so that positions stay.
func Split(source string) (calls []*Call, rest string) {
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
		case word[0] == '!':
			calls = append(calls, &Call{Name: "!", Args: strings.TrimSpace(word[1:])})
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

func parse(word string) *Call {
	name, args, _ := strings.Cut(word, " ")
	if tab := strings.IndexByte(name, '\t'); tab >= 0 {
		name, args = name[:tab], word[tab:]
	}
	return &Call{Name: strings.TrimRight(name, "\r"), Args: strings.TrimSpace(args)}
}

// blanked keeps the lines of a text and nothing in them.
func blanked(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return ' '
	}, s)
}
