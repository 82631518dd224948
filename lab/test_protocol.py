"""jupyter_kernel_test, every attribute it knows that this kernel answers."""

import jupyter_kernel_test


class VyreKernelTests(jupyter_kernel_test.KernelTests):
    kernel_name = "vyre"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'fmt.Fprintln(os.Stderr, "test")'
    code_execute_result = [{"code": "1+2+3", "result": "6"}, {"code": '"a" + "b"', "result": '"ab"'}]
    code_generate_error = 'panic("boom")'
    complete_code_samples = ["1", "x := 1", "func f() int { return 1 }", "for i := range 3 {\n\tfmt.Println(i)\n}"]
    incomplete_code_samples = ["func f() int {", "x := []int{1,", "fmt.Println(", "for i := range 3 {"]
    invalid_code_samples = ["func )(", "x := := 1"]
    completion_samples = [{"text": "strings.ToUpperS", "matches": {"ToUpperSpecial"}}, {"text": "retur", "matches": {"return"}}]
    code_inspect_sample = "strings.ToUpper"
    code_display_data = [{"code": "display.Show(display.Card(`x`).Add(`a`, 1))", "mime": "text/html"}]
    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "1?2*"
    code_clear_output = "display.Clear(false)"
    support_iopub_welcome = True
