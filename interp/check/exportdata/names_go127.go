//go:build go1.27

package exportdata

func init() { extended = append(extended, "encoding/json/jsontext", "encoding/json/v2") }
