package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

type money int

func (m money) MarshalJSON() ([]byte, error) {
	return []byte(`"` + strconv.Itoa(int(m)/100) + "." + strconv.Itoa(int(m)%100 + 100)[1:] + `"`), nil
}

func (m *money) UnmarshalJSON(b []byte) error {
	whole, cents, ok := strings.Cut(strings.Trim(string(b), `"`), ".")
	if !ok {
		return fmt.Errorf("%s is no amount", b)
	}
	w, err := strconv.Atoi(whole)
	if err != nil {
		return err
	}
	c, err := strconv.Atoi(cents)
	*m = money(w*100 + c)
	return err
}

type state int

func (s state) MarshalText() ([]byte, error) { return []byte([]string{"open", "paid"}[s]), nil }
func (s state) String() string               { return "state " + strconv.Itoa(int(s)) }

type invoice struct {
	ID    int            `json:"id"`
	Lines []money        `json:"lines"`
	State state          `json:"state"`
	Notes map[string]any `json:"notes,omitempty"`
}

func work() int {
	n := 0
	for i := 0; i < 500; i++ {
		text, err := json.Marshal(invoice{ID: i, Lines: []money{money(i), 1234, 99}, State: state(i % 2)})
		if err != nil {
			return -1
		}
		var back struct {
			Lines []money
			State string
		}
		if err := json.Unmarshal(text, &back); err != nil {
			return -2
		}
		n += len(text) + int(back.Lines[0]) + len(back.State) + len(fmt.Sprint(state(1)))
	}
	return n
}
