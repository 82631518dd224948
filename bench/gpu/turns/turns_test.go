package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// script writes a peer in sh that takes part: it answers each turn with ns, and one of "bad" with
// something else.
func script(t *testing.T, calls, ns string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "peer.sh")
	text := `exec 3>"$TURNS/out" 4<"$TURNS/in"
printf '` + calls + `\n' >&3
while read -r n name <&4; do
	[ -n "$n" ] || exit 0
	echo ` + ns + ` >&3
done
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return "sh " + path
}

func TestTurns(t *testing.T) {
	var out strings.Builder
	err := run(&out, 5, 0, []string{
		"C=" + script(t, `launch\tgraph launch`, "1000"), "Go=" + script(t, `launch\tcuda.Graph.Launch\tunheard of`, "1050"),
		"CuPy=echo no such module >&2; exit 3",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"launch, Go / C                                                1.050",
		"cuda.Graph.Launch / C", "CuPy takes no part:", "no such module",
		"C       graph launch                          1000.0"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "from a cell") {
		t.Errorf("ratios of a peer that takes no part:\n%s", out.String())
	}
}

func TestBadAnswer(t *testing.T) {
	var out strings.Builder
	err := run(&out, 1, 0, []string{"C=" + script(t, "launch", "about a thousand")})
	if err == nil || !strings.Contains(err.Error(), `C at launch: answered "about a thousand"`) {
		t.Errorf("the error is %v", err)
	}
}

func TestPeerThatDies(t *testing.T) {
	var out strings.Builder
	peer := strings.Replace(script(t, "launch", "1"), "sh ", "sh -c 'sed -i s/.echo.1.*/exit/ $0; . $0' ", 1)
	if err := run(&out, 1, 0, []string{"C=" + peer}); err == nil || !strings.Contains(err.Error(), "C at launch") {
		t.Errorf("the error is %v", err)
	}
}

func TestQuantiles(t *testing.T) {
	if got := quantiles([]float64{5, 1, 4, 2, 3}); got != [5]float64{1, 2, 3, 4, 5} {
		t.Errorf("quantiles are %v", got)
	}
}
