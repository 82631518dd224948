package display

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestTableGolden(t *testing.T) {
	tables := map[string]*Table{
		"full": NewTable("Caption <&>", Column{Title: "group", Kind: Label},
			Column{Title: "size", Unit: "bytes", Kind: Number},
			Column{Title: "code", Kind: Code}, Column{Title: "mid", Align: Center},
			Column{Title: "share", Kind: Number, Format: "%.1f%%"}).
			Add("a", 1234567, "x < y", "m", 12.345).Add("日本語", -5, "tab\there", "é́", 7).Add("two\nlines", nil, "",
			"👨‍👩‍👧", 100.0).
			Add("short").Add("long", 1, "c", "d", 2, "extra"),
		"unheaded": Card("Device").Add("name", "emulated").Add("memory", Bytes(150_000_000)).Add("launch",
			Seconds(3.41e-6)).Add("up", 90*time.Second),
		"empty": NewTable("", Column{Title: "nothing"}),
	}
	tables["full"].Footer = []any{"sum", 1234563}
	tables["full"].Note("a note").Note("another <b>")
	for name, table := range tables {
		golden(t, "table-"+name+".txt", table.Text()+"\n\n"+strings.ReplaceAll(table.HTML(), "</tr>", "</tr>\n"))
	}
}

func TestTableLongIsCut(t *testing.T) {
	for _, c := range []struct{ rows, limit, before, want int }{
		{60, 0, 0, 0}, {61, 0, 0, 1}, {1000, 0, 0, 940}, {10, -1, 0, 0}, {1000, -1, 0, 0}, {10, 3, 0, 7}, {10, 0, 5, 5},
		{100, 0, 5, 45}, {0, 0, 2, 2},
	} {
		table := NewTable("", Column{Title: "n"})
		table.MaxRows, table.RowsLeftOut = c.limit, c.before
		for i := range c.rows {
			table.Add(i)
		}
		text := table.Text()
		shown := strings.Count(text, "\n") + 1 - 2
		if c.want > 0 {
			shown--
			if !strings.Contains(text, leftOut(c.want)) || !strings.Contains(table.HTML(), leftOut(c.want)) {
				t.Errorf("%+v: no note %q", c, leftOut(c.want))
			}
		} else if strings.Contains(text, "left out") {
			t.Errorf("%+v: says that rows are left out", c)
		}
		if shown != c.rows+c.before-c.want {
			t.Errorf("%+v: %d rows shown", c, shown)
		}
	}
}

type hurt struct{}

func (hurt) HTML() string   { panic("<ouch>") }
func (hurt) String() string { return "hurt" }

func TestCellsWithForms(t *testing.T) {
	page := NewTable("", Column{Title: "v"}).Add(HTML("<b>bold</b>")).Add(SVG("<svg/>")).Add(PNG{1}).Add(hurt{}).HTML()
	for _, want := range []string{"><b>bold</b></td>", "display.hurt.HTML panicked: &lt;ouch&gt;", "><svg/></td>",
		`<img alt="" src="data:image/png;base64,AQ==">`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %s in %s", want, page)
		}
	}
}

// Every line of an aligned table ends its columns at the same place.
func TestTableAlignment(t *testing.T) {
	table := NewTable("", Column{Title: "名前"}, Column{Title: "v", Kind: Number}).Add("🇩🇪", 1).Add("👍🏽",
		22).Add("e\u0301a", 333).Add("ｆｕｌｌ", 4444)
	lines := strings.Split(table.Text(), "\n")
	for _, line := range lines {
		if Width(line) != Width(lines[0]) {
			t.Errorf("%q is %d wide, the header %d", line, Width(line), Width(lines[0]))
		}
	}
}

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本": 4, "ｱ": 1, "👍": 2,
		"👍🏽": 2, "👨‍👩‍👧": 2, "🇩🇪🇫🇷": 4, "\x07": 0,
		"½": 1, "한국": 4, "─": 1, "❤️": 1, "\u200b": 0} {
		if got := Width(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Bytes(0).String(), "0 B"}, {Bytes(1023).String(), "1023 B"}, {Bytes(1024).String(), "1 KiB"},
		{Bytes(16512).String(), "16.1 KiB"},
		{Bytes(math.MaxUint64).String(), "16 EiB"}, {Bytes(1<<20 - 1).String(), "1 MiB"},
		{Seconds(0).String(), "0 s"}, {Seconds(1.5).String(), "1.50 s"}, {Seconds(3.41e-6).String(), "3.41 µs"},
		{Seconds(75e-9).String(), "75.0 ns"},
		{Seconds(0.9999).String(), "1.00 s"}, {Seconds(-2e-3).String(), "-2.00 ms"}, {Seconds(5e-13).String(), "0.50 ps"},
		{Seconds(12345).String(), "12,345 s"},
		{Seconds(math.NaN()).String(), "NaN s"}, {Seconds(math.Inf(1)).String(), "+Inf s"},
		{Seconds(999.96e-6).String(), "1.00 ms"},
		{group("123"), "123"}, {group("1234"), "1,234"}, {group("12345"), "12,345"}, {group("-1234567"), "-1,234,567"},
		{group("123456"), "123,456"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
