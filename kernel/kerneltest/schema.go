package kerneltest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/vyre-kernel/vyre-kernel/kernel/wire"
)

// A field is one member of a content: its JSON type and whether it must be there.
type field struct {
	name     string
	kind     string // string, number, boolean, object, array, any; "?" before: may be absent or null
	oneOf    []string
	elements string // of an array
}

// schemas has the content of each message that a kernel sends.
//
// Source: "Messaging in Jupyter", version 5.5.
var schemas = map[string][]field{
	"kernel_info_reply": {
		status, str("protocol_version"), str("implementation"), str("implementation_version"), obj("language_info"),
		str("banner"), {name: "debugger", kind: "boolean"}, {name: "help_links", kind: "array", elements: "object"},
		{name: "supported_features", kind: "array", elements: "string"},
	},
	"execute_reply": {{name: "status", kind: "string", oneOf: []string{"ok", "error", "aborted"}},
		num("execution_count"), {name: "user_expressions", kind: "object"},
		{name: "payload", kind: "?array", elements: "object"}},
	"complete_reply": {status, {name: "matches", kind: "array", elements: "string"}, num("cursor_start"),
		num("cursor_end"), obj("metadata")},
	"inspect_reply": {status, {name: "found", kind: "boolean"}, obj("data"), obj("metadata")},
	"is_complete_reply": {{name: "status", kind: "string",
		oneOf: []string{"complete", "incomplete", "invalid", "unknown"}}, {name: "indent", kind: "?string"}},
	"history_reply":   {status, {name: "history", kind: "array", elements: "array"}},
	"comm_info_reply": {status, obj("comms")},
	"connect_reply": {num("shell_port"), num("iopub_port"), num("stdin_port"), num("control_port"),
		num("hb_port")},
	"interrupt_reply":       {status},
	"shutdown_reply":        {status, {name: "restart", kind: "boolean"}},
	"debug_reply":           {str("type"), num("request_seq"), {name: "success", kind: "boolean"}, str("command")},
	"usage_reply":           {str("hostname"), num("pid"), num("cpu_count")},
	"create_subshell_reply": {status, str("subshell_id")},
	"delete_subshell_reply": {status},
	"list_subshell_reply":   {status, {name: "subshell_id", kind: "array", elements: "string"}},

	"status":              {{name: "execution_state", kind: "string", oneOf: []string{"busy", "idle", "starting"}}},
	"stream":              {{name: "name", kind: "string", oneOf: []string{"stdout", "stderr"}}, str("text")},
	"execute_input":       {str("code"), num("execution_count")},
	"execute_result":      {num("execution_count"), obj("data"), obj("metadata")},
	"display_data":        {obj("data"), obj("metadata"), {name: "transient", kind: "?object"}},
	"update_display_data": {obj("data"), obj("metadata"), obj("transient")},
	"clear_output":        {{name: "wait", kind: "boolean"}},
	"error":               {str("ename"), str("evalue"), {name: "traceback", kind: "array", elements: "string"}},
	"comm_open":           {str("comm_id"), str("target_name"), obj("data")},
	"comm_msg":            {str("comm_id"), obj("data")},
	"comm_close":          {str("comm_id"), obj("data")},
	"iopub_welcome":       {str("subscription")},
	"input_request":       {str("prompt"), {name: "password", kind: "boolean"}},
}

// failed is the content of any reply with status error.
var failed = []field{str("ename"), str("evalue"), {name: "traceback", kind: "array", elements: "string"}}

var status = field{name: "status", kind: "string", oneOf: []string{"ok"}}

func str(name string) field { return field{name: name, kind: "string"} }
func num(name string) field { return field{name: name, kind: "number"} }
func obj(name string) field { return field{name: name, kind: "object"} }

var datePattern = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`)

// Check tells what of a message is against the protocol.
func Check(m *wire.Message) []error {
	var errs []error
	report := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf(m.Header.MsgType+": "+format, args...))
	}
	h := m.Header
	if h.MsgID == "" || h.Session == "" || h.Username == "" || h.Version == "" {
		report("header %+v: a field is empty", h)
	}
	if !datePattern.MatchString(h.Date) {
		report("date %q has no microseconds in UTC", h.Date)
	}
	var content map[string]any
	if err := m.Decode(&content); err != nil {
		report("content: %v", err)
		return errs
	}
	fields, known := schemas[h.MsgType]
	if content["status"] == "error" {
		fields = failed
	} else if !known {
		report("no schema")
	}
	for _, f := range fields {
		if err := f.check(content); err != nil {
			report("%v in %s", err, m.Content)
		}
	}
	return errs
}

func (f field) check(content map[string]any) error {
	v, there := content[f.name]
	kind, optional := f.kind, f.kind[0] == '?'
	if optional {
		kind = kind[1:]
	}
	if !there || v == nil {
		if optional {
			return nil
		}
		return fmt.Errorf("%s is missing", f.name)
	}
	if got := jsonType(v); kind != "any" && got != kind {
		return fmt.Errorf("%s is a %s, want %s", f.name, got, kind)
	}
	if s, ok := v.(string); ok && f.oneOf != nil && !slices.Contains(f.oneOf, s) {
		return fmt.Errorf("%s is %q, want one of %v", f.name, s, f.oneOf)
	}
	if a, ok := v.([]any); ok && f.elements != "" {
		for _, e := range a {
			if got := jsonType(e); got != f.elements {
				return fmt.Errorf("an element of %s is a %s, want %s", f.name, got, f.elements)
			}
		}
	}
	return nil
}

func jsonType(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case float64, json.Number:
		return "number"
	case bool:
		return "boolean"
	case map[string]any:
		return "object"
	case []any:
		return "array"
	}
	return "null"
}
