package magic

import (
	"context"
	"errors"
	"testing"
)

// described is a session that knows one name.
type described struct{ Session }

func (described) Describe(name string) (string, bool) { return "func known()", name == "known" }

func TestHelp(t *testing.T) {
	for args, want := range map[string]string{"known": "func known()", "%who": "%who: list what cells declared"} {
		got, err := Run(context.Background(), &Call{Name: "%help", Args: args, Session: described{}})
		if page, ok := got.(Page); err != nil || !ok || page.Text != want {
			t.Errorf("%%help %s: got %#v, %v, want the page %q", args, got, err, want)
		}
	}
	_, err := Run(context.Background(), &Call{Name: "%help", Args: "nobody", Session: described{}})
	var unknown *NameError
	if !errors.As(err, &unknown) || unknown.Name != "nobody" {
		t.Errorf("got %v, want a NameError", err)
	}
}
