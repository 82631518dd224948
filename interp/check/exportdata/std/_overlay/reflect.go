package reflect

import "reflect"

func TypeFor[T any]() reflect.Type {
	var v T
	if t := reflect.TypeOf(v); t != nil {
		return t
	}
	return reflect.TypeOf((*T)(nil)).Elem()
}

func TypeAssert[T any](v reflect.Value) (T, bool) {
	if v.Kind() != reflect.Interface && v.IsValid() {
		if t := TypeFor[T](); t.Kind() != reflect.Interface && t != v.Type() {
			var none T
			return none, false
		}
	}
	got, ok := v.Interface().(T)
	return got, ok
}
