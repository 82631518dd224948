package wire

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A recorder takes every field, and notes it with what its value can be read as.
type recorder struct {
	fields []string
	refuse string // the key of a field that it does not take
}

func (r *recorder) PlainField(key []byte, v Plain) bool {
	text, truth, number := "", false, 0
	field := string(key) + "="
	if v.String(&text) {
		field += fmt.Sprintf("text %q ", text)
	}
	if v.Bool(&truth) {
		field += fmt.Sprintf("truth %v ", truth)
	}
	if v.Int(&number) {
		field += fmt.Sprintf("number %d ", number)
	}
	if v.Empty() {
		field += "empty "
	}
	r.fields = append(r.fields, strings.TrimSpace(field))
	return string(key) != r.refuse
}

// TestReadPlain is what is read without encoding/json, and as what.
func TestReadPlain(t *testing.T) {
	for raw, want := range map[string]string{
		`{}`: "", " \t\r\n{ \t\r\n} \t\r\n": "",
		`{"a":"x"}`:              `a=text "x"`,
		"{\t\"a\"\n:\r\"x\" }\n": `a=text "x"`,
		`{"a":"","":"é\u007f"}`:  "", // has an escape
		`{"a":"","":"é🂡"}`:       `a=text ""; =text "é🂡"`,
		`{"a":true,"b":false}`:   "a=truth true; b=truth false",
		`{"a":null,"b":{}}`:      "a=; b=empty",
		`{"a":0,"b":9}`:          "a=number 0; b=number 9",
		`{"a":10203,"b":999999999999999,"c":1000000000000000}`: "a=number 10203; b=number 999999999999999; c=",
		`{"a":"x","stop":1,"b":2}`:                             `a=text "x"; stop=number 1`,
	} {
		r := &recorder{refuse: "stop"}
		ok := readPlain([]byte(raw), r)
		if got := strings.Join(r.fields, "; "); ok && got != want || ok != (!strings.Contains(raw, "stop") && !strings.Contains(raw, `\u`)) {
			t.Errorf("%s: %v, %s, want %s", raw, ok, got, want)
		}
		if strings.Contains(raw, "stop") && len(r.fields) != 2 {
			t.Errorf("%s: read on: %v", raw, r.fields)
		}
	}
	for _, raw := range []string{
		"", " ", "{", "}", "[]", `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{a:1}`, `{1:1}`, `{"a":01}`, `{"a":-1}`, `{"a":1.5}`, `{"a":1e3}`, `{"a":[]}`, `{"a":{"b":1}}`,
		`{"a":tru}`, `{"a":truth}`, `{"a":fals`, `{"a":nul`, `{"a":{`, `{"a":"x}`, "{\"a\":\"\x1f\"}", "{\"a\":\"\xff\"}", "{\"a\":\"\x80\"}", `{}x`, `{"a":1}x`, `{"a":1}{`, "{\"a\":\"\x00\"}", `{"a":"x"`, `{"a":1`, `{"a"`,
	} {
		if r := new(recorder); readPlain([]byte(raw), r) {
			t.Errorf("%q was read: %v", raw, r.fields)
		}
	}
}

// FuzzReadPlain: what is read without encoding/json is JSON, and a header then the one that encoding/json reads.
func FuzzReadPlain(f *testing.F) {
	f.Add([]byte(`{"msg_id":"a","session":"b","username":"c","date":"d","msg_type":"e","version":"5.3"}`))
	f.Add([]byte(` { "msg_id" : "é" } `))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if readPlain(raw, new(recorder)) && !json.Valid(raw) {
			t.Fatalf("%q is no JSON", raw)
		}
		var got, want Header
		if readPlain(raw, &got) && (json.Unmarshal(raw, &want) != nil || got != want) {
			t.Errorf("%q: %+v, want %+v", raw, got, want)
		}
	})
}

// FuzzDate: a date that is read is written as it was meant.
func FuzzDate(f *testing.F) {
	f.Add("2026-01-02T03:04:05.000006Z")
	f.Add("2026-01-02T03:04:05")
	f.Fuzz(func(t *testing.T, text string) {
		if date, ok := parseDate(text); ok {
			if again, ok := parseDate(FormatDate(date)); ok && again.Sub(date).Abs().Microseconds() > 0 {
				t.Errorf("%q: %v became %v", text, date, again)
			}
		}
	})
}
