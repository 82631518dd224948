"""jupyter_kernel_test with every attribute it knows; encryption, and history over kernels."""

import uuid

import jupyter_kernel_test
import pytest
import zmq
from conftest import Client
from jupyter_client.manager import KernelManager, start_new_kernel
from jupyter_client.session import Session


class VyreKernelTests(jupyter_kernel_test.KernelTests):
    kernel_name = "vyre"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'fmt.Fprintln(os.Stderr, "test")'
    code_execute_result = [{"code": "1+2+3", "result": "6"}, {"code": '"a" + "b"', "result": '"ab"'}]
    code_page_something = "%help strings.ToUpper"
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


class VyreWelcomeTests(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "vyre"
    support_iopub_welcome = True


@pytest.mark.parametrize("ours", [VyreKernelTests, VyreWelcomeTests])
def test_nothing_is_left_out(ours):
    """An attribute left as it was makes jupyter_kernel_test skip what it stands for."""
    known = {n for n, v in vars(ours.__base__).items() if not n.startswith("_") and not callable(v) and not isinstance(v, classmethod)}
    assert known and known == {n for n in vars(ours) if n in known}


@pytest.fixture(params=["tcp", "ipc"])
def encrypted(request, tmp_path):
    """A kernel of a client that refuses to speak without CURVE; libzmq is the other end."""
    manager = KernelManager(kernel_name="vyre", transport=request.param, transport_encryption="required")
    if request.param == "ipc":
        manager.ip = str(tmp_path / "k")
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_curve_is_what_libzmq_speaks(encrypted):
    manager, client = encrypted
    assert manager.curve_publickey and manager.curve_secretkey
    both = Client(manager, client)
    assert both.run("1+1").result["text/plain"] == "2"
    assert len(both.run('fmt.Print(strings.Repeat("x", 1<<22))').stream()) == 1 << 22
    assert client.hb_channel.is_beating(), "heartbeats make keys of their own"
    message = client.execute('var s string\nfmt.Scan(&s)\ns', allow_stdin=True)
    assert client.get_stdin_msg(timeout=10)["msg_type"] == "input_request"
    client.input("sealed")
    assert both.collect(message).result["text/plain"] == '"sealed"'
    keys = manager.curve_publickey
    manager.restart_kernel()
    client.wait_for_ready(timeout=60)
    assert manager.curve_publickey == keys and both.run("2+2").result["text/plain"] == "4"


def test_who_has_no_keys_gets_nothing(encrypted):
    manager, _ = encrypted
    info = manager.get_connection_info()
    if info["transport"] != "tcp":
        return
    plain = zmq.Context()
    dealer = plain.socket(zmq.DEALER)
    dealer.connect(f"tcp://{info['ip']}:{info['shell_port']}")
    session = Session(key=info["key"], signature_scheme=info["signature_scheme"])
    session.send(dealer, "kernel_info_request")
    assert dealer.poll(500) == 0
    dealer.close(linger=0)
    plain.term()


def test_history_outlives_the_kernel():
    word = f"kept{uuid.uuid4().hex}"
    for attempt in range(2):
        manager, client = start_new_kernel(kernel_name="vyre", startup_timeout=60)
        try:
            both = Client(manager, client)
            if attempt == 0:
                assert both.run(f"{word} := 1").status == "ok"
            else:
                found = both.shell("history_request", {"hist_access_type": "search", "pattern": f"{word}*", "n": 3, "raw": True, "output": False})
                assert [h[2] for h in found.reply["content"]["history"]] == [f"{word} := 1"]
        finally:
            client.stop_channels()
            manager.shutdown_kernel()
