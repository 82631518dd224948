package interp

import (
	"strings"
	"testing"
	"time"
)

// Panics of functions of cells that compiled code calls tell where, and how it got there.
func TestPanicsInCallbacksHavePlaces(t *testing.T) {
	tests := []struct {
		name, source string
		want         []string
	}{
		{"sort", "sort.Slice([]int{2, 1}, func(i, j int) bool {\n\tpanic(\"no order\")\n})",
			[]string{"panic: no order", "  main.In[1].func  In[1]:2:7", "  main.In[1]  In[1]:1:11"}},
		{"map", "s := []int{1}\nstrings.Map(func(r rune) rune {\n\treturn rune(s[r])\n}, \"a\")",
			[]string{"panic: runtime error: index out of range [97] with length 1", "  main.In[1].func  In[1]:3:15",
				"  main.In[1]  In[1]:2:12"}},
		{"once", "var once sync.Once\nvar m map[int]int\nonce.Do(func() { m[1] = 2 })",
			[]string{"panic: assignment to entry in nil map", "  main.In[1].func  In[1]:3:19", "  main.In[1]  In[1]:3:8"}},
		{"method", "type T struct{ p *int }\nfunc (t T) Len() int { return *t.p }\nfunc (t T) Less(i, j int) bool { " +
			"return false }\nfunc (t T) Swap(i, j int) {}\nsort.Sort(T{})",
			[]string{"  main.T.Len  In[1]:2:31", "  main.In[1]  In[1]:5:10"}},
		{"group", "var wg sync.WaitGroup\nwg.Go(func() {\n\tpanic(7)\n})\nwg.Wait()",
			[]string{"panic: 7", "in goroutine 2", "  main.In[1].func  In[1]:3:7"}},
		{"timer", "time.AfterFunc(1, func() {\n\tpanic(7)\n})\ntime.Sleep(time.Second)",
			[]string{"panic: 7", "  main.In[1].func  In[1]:2:7"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e, text := executeFor(openVM(t), 1, test.source, 10*time.Second)
			if e == nil || e.Name != "Panic" {
				t.Fatalf("%+v", e)
			}
			for _, line := range test.want {
				if !strings.Contains("\n"+text+"\n", "\n"+line+"\n") {
					t.Errorf("no line %q in\n%s", line, text)
				}
			}
		})
	}
}
