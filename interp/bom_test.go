package interp

import (
	"reflect"
	"testing"
)

// A byte order mark at the beginning of a cell, as editors leave it, is no part of it.
func TestByteOrderMark(t *testing.T) {
	s := openVM(t)
	defer s.Close()
	for i, source := range []string{"1+1", "x := 1\nx + 1"} {
		with, without := execute(s, 2*i+1, byteOrderMark+source), execute(s, 2*i+2, source)
		if with.Error != nil || without.Error != nil || !reflect.DeepEqual(with.Result, without.Result) {
			t.Errorf("%q: %v %v, with a byte order mark %v %v", source, without.Result, without.Error, with.Result, with.Error)
		}
	}
	if r := execute(s, 5, byteOrderMark+"nope"); r.Error == nil || r.Error.Value != "In[5]:1:1: undefined: nope" {
		t.Errorf("%+v", r.Error)
	}
}
