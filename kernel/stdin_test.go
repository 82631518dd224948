package kernel

import "testing"

// TestAnswersFindTheirQuestions is for clients that name the question, the cell or nothing as the
// parent of an answer.
func TestAnswersFindTheirQuestions(t *testing.T) {
	tests := []struct {
		name    string
		parents []string
		session string
		want    []string
	}{
		{"the questions, in another order", []string{"q3", "q1", "q2"}, "a", []string{"q3", "q1", "q2"}},
		{"the cell", []string{"c1", "c1", "c1"}, "a", []string{"q1", "q2", ""}},
		{"another cell", []string{"c2", "c3"}, "a", []string{"q3", ""}},
		{"nothing: the oldest first", []string{"", "", ""}, "a", []string{"q1", "q2", ""}},
		{"nothing, from another client", []string{"", ""}, "b", []string{"q3", ""}},
		{"one twice", []string{"q2", "q2"}, "a", []string{"q2", ""}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var q questions
			for _, x := range []question{{id: "q1", cell: "c1", session: "a"}, {id: "q2", cell: "c1", session: "a"},
				{id: "q3", cell: "c2", session: "b"}} {
				q.add(&x)
			}
			for i, parent := range test.parents {
				got := ""
				if x := q.take(parent, test.session); x != nil {
					got = x.id
					q.remove(x) // as who asked does
				}
				if got != test.want[i] {
					t.Errorf("answer %d is for %q, want %q", i, got, test.want[i])
				}
			}
		})
	}
}
