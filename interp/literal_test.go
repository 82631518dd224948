package interp

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/vyre-kernel/vyre-kernel/interp/check"
	"github.com/vyre-kernel/vyre-kernel/kernel/worker"
)

// longWay makes a cell too long for check.Literal, so that the engine executes it.
func longWay(source string) string { return source + "\n//" + strings.Repeat(" ", 300) }

// literalCells are cells and whether the checker alone can tell their value.
var literalCells = []struct {
	source string
	alone  bool
}{
	{"1+1", true}, {" 6 * 7 ", true}, {"1+1 // two", true}, {"/* one */ 1", true}, {"1 +\n\t2", true}, {"1\n\n", true}, {"1\r\n", true},
	{"((2))", true}, {"-5 % 3", true}, {"^0", true}, {"5 &^ 1 | 8", true}, {"1 << 10", true}, {"1 << 3.0", true}, {"1.0 << 3", true}, {"7 / 2", true}, {"7 / 2.0", true},
	{"0x1p-2", true}, {"1_000", true}, {"1e-400", true}, {"0.1 + 0.2", true}, {"1e308 * 10 / 10", true}, {"1 << 63 - 1", true}, {"-1 << 63", true},
	{"'a'", true}, {"'a' + 1", true}, {"'a' * 1.0", true}, {"1 < 2", true}, {"(1 < 2) && (3 != 4.5)", true}, {"(1 == 2) || (2i == 2i)", true},
	{`"a" + "b"`, true}, {"`a\nb`", true}, {`"a" < "b"`, true}, {"2i * 2i", true}, {"1 + 2i", true}, {`"\xff"`, true},

	{"", false}, {"()", false}, {"1;", false}, {"1\n2", false}, {"1\n+2", false}, {"1, 2", false}, {"1 2", false}, {"1+", false}, {"1(2)", false}, {"1.x", false},
	{"x", false}, {"true", false}, {"!true", false}, {"len(`a`)", false}, {"[]int{1}", false}, {"1 / 0", false}, {"1 << 64", false}, {"1e400", false}, {"'a' << 40", false},
	{"08", false}, {"1 + `a`", false}, {"*1", false}, {"&1", false}, {"<-1", false}, {"\ufeff1", false}, {"\"\x00\"", false}, {"1 & 1.5", false}, {"1 << -1", false},
	{longWay("1"), false},
}

// TestLiteral is that such a cell shows what it does where the engine executes it, and that all others go there.
func TestLiteral(t *testing.T) {
	s := openVM(t)
	defer s.Close()
	for i, c := range literalCells {
		_, alone := check.Literal(c.source)
		if alone != c.alone {
			t.Errorf("%q is one whose value the checker tells: %v", c.source, alone)
		}
		if alone {
			sameAsEngine(t, s, i+1, c.source)
		}
	}
}

func sameAsEngine(t *testing.T, s *Session, n int, source string) {
	t.Helper()
	short, long := execute(s, n, source), execute(s, n, longWay(source))
	if short.Error != nil || long.Error != nil || !reflect.DeepEqual(short.Result, long.Result) {
		t.Errorf("%q: %v %v, executed %v %v", source, short.Result, short.Error, long.Result, long.Error)
	}
}

func FuzzLiteral(f *testing.F) {
	for _, c := range literalCells {
		f.Add(c.source)
	}
	s := openVM(f)
	f.Fuzz(func(t *testing.T, source string) {
		if _, ok := check.Literal(source); ok && !strings.HasPrefix(source, "!") { // a command
			sameAsEngine(t, s, 1, source)
		}
	})
}

// TestByteOrderMark is that one at the beginning of a cell, as editors leave it, is no part of it.
func TestByteOrderMark(t *testing.T) {
	s := openVM(t)
	defer s.Close()
	for i, source := range []string{"1+1", "x := 1\nx + 1"} {
		sameAsEngine(t, s, i+1, byteOrderMark+source)
	}
	if r := execute(s, 3, byteOrderMark+"nope"); r.Error == nil || r.Error.Value != "In[3]:1:1: undefined: nope" {
		t.Errorf("%+v", r.Error)
	}
}

// TestLiteralWhenInterrupted is that an interrupt before such a cell is told.
func TestLiteralWhenInterrupted(t *testing.T) {
	s := openVM(t)
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := s.Execute(ctx, worker.ExecuteRequest{Number: 1, Source: "1+1"}, new(host))
	if r.Error == nil || r.Error.Name != "Interrupted" {
		t.Errorf("%+v", r)
	}
}
