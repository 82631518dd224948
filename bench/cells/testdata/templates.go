package main

import (
	"strings"
	"text/template"
)

type line struct {
	Name  string
	Price float64
	Count int
}

func work() int {
	t := template.Must(template.New("bill").Funcs(template.FuncMap{"upper": strings.ToUpper}).Parse(
		"{{range $i, $l := .}}{{if $i}}, {{end}}{{$l.Name | upper}} {{$l.Count}} x {{printf \"%.2f\" $l.Price}}{{end}}"))
	var lines []line
	for i := 0; i < 50; i++ {
		lines = append(lines, line{"item", float64(i) / 4, i})
	}
	var b strings.Builder
	for i := 0; i < 5; i++ {
		if err := t.Execute(&b, lines); err != nil {
			return -1
		}
	}
	return b.Len()
}
