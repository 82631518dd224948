package main

import (
	"encoding/csv"
	"strconv"
	"strings"
)

func work() int {
	var b strings.Builder
	for i := 0; i < 300; i++ {
		b.WriteString("row" + strconv.Itoa(i) + "," + strconv.Itoa(i*3) + ",\"a, b\",2.5\n")
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		return -1
	}
	sum := 0
	for _, row := range rows {
		n, err := strconv.Atoi(row[1])
		if err != nil {
			return -2
		}
		x, _ := strconv.ParseFloat(row[3], 64)
		sum += n + int(2*x) + len(row[2])
	}
	return sum
}
