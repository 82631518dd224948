package magic

import (
	"context"
	"errors"
	"testing"
)

// described is a session that knows one name.
type described struct{ Session }

func (described) Describe(name string) (string, bool) { return "func known()", name == "known" }
func (described) Neighbours(string) []string          { return []string{"known", "other"} }

func TestHelp(t *testing.T) {
	for args, want := range map[string]string{"known": "func known()", "%who": "%who: list what cells declared"} {
		got, err := Run(context.Background(), &Call{Name: "%help", Args: args, Session: described{}})
		if page, ok := got.(Page); err != nil || !ok || page.Text != want {
			t.Errorf("%%help %s: got %#v, %v, want the page %q", args, got, err, want)
		}
	}
	for args, near := range map[string]string{"nobody": "", "knwon": "known", "%wo": "%who"} {
		_, err := Run(context.Background(), &Call{Name: "%help", Args: args, Session: described{}})
		var unknown *NameError
		if !errors.As(err, &unknown) || unknown.Name != args || unknown.Near != near {
			t.Errorf("%s: got %v, want a NameError with a hint at %q", args, err, near)
		}
	}
}

func TestTimeOfNothing(t *testing.T) {
	for _, c := range []*Call{{Name: "%time"}, {Name: "%%time", Body: "\n"}} {
		_, err := Run(context.Background(), c)
		var nothing *NothingError
		if !errors.As(err, &nothing) {
			t.Errorf("%s: got %v, want a NothingError", c.Name, err)
		}
	}
}
