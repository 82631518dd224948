"""Real clients against the kernel that is installed in this environment (`make env` installs it)."""

import os
import pathlib
import queue
import tempfile
import time

import pytest
from jupyter_client.manager import start_new_kernel

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARTEFACTS = ROOT / "build" / "test-artefacts"
KERNEL = "vyre"

# Kernels keep the history here: that of who runs the tests may hold anything, and is not ours to add to.
DATA = tempfile.TemporaryDirectory(prefix="vyre-data-")
os.environ["JUPYTER_DATA_DIR"] = DATA.name


class Reply:
    """What one execute request brought: its reply and every iopub message that names it as parent."""

    def __init__(self, reply, outputs):
        self.reply = reply
        self.outputs = outputs

    def of(self, kind):
        return [m["content"] for m in self.outputs if m["msg_type"] == kind]

    def stream(self, name="stdout"):
        return "".join(c["text"] for c in self.of("stream") if c["name"] == name)

    @property
    def states(self):
        return [c["execution_state"] for c in self.of("status")]

    @property
    def result(self):
        return self.of("execute_result")[0]["data"]

    @property
    def status(self):
        return self.reply["content"]["status"]


class Client:
    def __init__(self, manager, client):
        self.manager, self.client = manager, client

    def run(self, code, timeout=60, **kw):
        message_id = self.client.execute(code, **kw)
        return self.collect(message_id, timeout)

    def collect(self, message_id, timeout=60, channel="shell"):
        """Reads iopub to the idle of message_id, then the reply."""
        outputs, deadline = [], time.monotonic() + timeout
        while True:
            m = self.client.get_iopub_msg(timeout=max(0.01, deadline - time.monotonic()))
            if m["parent_header"].get("msg_id") != message_id:
                continue
            outputs.append(m)
            if m["msg_type"] == "status" and m["content"]["execution_state"] == "idle":
                break
        get = getattr(self.client, f"get_{channel}_msg")
        while True:
            reply = get(timeout=max(0.01, deadline - time.monotonic()))
            if reply["parent_header"].get("msg_id") == message_id:
                return Reply(reply, outputs)

    def control(self, kind, content=None, timeout=10):
        message = self.client.session.msg(kind, content or {})
        self.client.control_channel.send(message)
        while True:
            reply = self.client.get_control_msg(timeout=timeout)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                return reply

    def shell(self, kind, content=None, timeout=10):
        message = self.client.session.msg(kind, content or {})
        self.client.shell_channel.send(message)
        return self.collect(message["header"]["msg_id"], timeout)

    def drain(self):
        while True:
            try:
                self.client.get_iopub_msg(timeout=0.05)
            except queue.Empty:
                return


@pytest.fixture(scope="module")
def kernel():
    manager, client = start_new_kernel(kernel_name=KERNEL, startup_timeout=60)
    both = Client(manager, client)
    yield both
    both.client.stop_channels()  # a test may have put another in its place
    manager.shutdown_kernel(now=True)


@pytest.fixture(scope="session")
def artefacts():
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    return ARTEFACTS
