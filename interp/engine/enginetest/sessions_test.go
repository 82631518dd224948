package enginetest

import (
	"strings"
	"testing"
)

func TestScenarios(t *testing.T) {
	scs, err := Scenarios()
	if err != nil {
		t.Fatal(err)
	}
	if len(scs) < 25 {
		t.Errorf("%d scenarios", len(scs))
	}
	names := map[string]bool{}
	for _, sc := range scs {
		if len(sc.Steps) == 0 || names[sc.Name] {
			t.Errorf("scenario %s is empty or stands twice", sc.Name)
		}
		names[sc.Name] = true
		checks := false
		for _, s := range sc.Steps {
			checks = checks || s.Stdout != "" || s.Err != ""
		}
		if !checks {
			t.Errorf("scenario %s looks at nothing", sc.Name)
		}
	}
}

func TestParseScenariosRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"-- cell --\nx\n":                         "before the first scenario",
		"-- scenario a --\n-- out --\nx\n":        "before the first cell",
		"-- scenario a --\n-- cell --\n-- z --\n": `section "z"`,
	} {
		if _, err := parseScenarios([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
