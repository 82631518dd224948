//go:build go1.27

package symbols

import (
	"encoding/json/jsontext"
	json "encoding/json/v2"
	"reflect"
)

func init() {
	forGenerics["encoding/json/jsontext"] = Table{
		"appendFormat":  reflect.ValueOf(jsontext.AppendFormat[[]byte]),
		"appendQuote":   reflect.ValueOf(jsontext.AppendQuote[[]byte]),
		"appendUnquote": reflect.ValueOf(jsontext.AppendUnquote[[]byte]),
	}
	forGenerics["encoding/json/v2"] = Table{"getOption": reflect.ValueOf(getOption)}
}

// getOption is json.GetOption, with a setter of any option's type.
func getOption(opts json.Options, setter any) (any, bool) {
	switch set := setter.(type) {
	case func(bool) json.Options:
		return option(opts, set)
	case func(int) json.Options:
		return option(opts, set)
	case func(string) json.Options:
		return option(opts, set)
	case func(*json.Marshalers) json.Options:
		return option(opts, set)
	case func(*json.Unmarshalers) json.Options:
		return option(opts, set)
	}
	v := reflect.ValueOf(setter)
	return json.GetOption(opts, func(any) json.Options { // json says what it cannot be
		o, _ := v.Call([]reflect.Value{reflect.Zero(v.Type().In(0))})[0].Interface().(json.Options)
		return o
	})
}

func option[T any](opts json.Options, setter func(T) json.Options) (any, bool) {
	return json.GetOption(opts, setter)
}
