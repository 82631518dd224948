package json

import json "encoding/json/v2"

func GetOption[T any](opts json.Options, setter func(T) json.Options) (T, bool) {
	v, ok := getOption(opts, setter)
	t, _ := v.(T)
	return t, ok
}

func getOption(opts json.Options, setter any) (any, bool)
