"""An editor to test the language server with: it speaks the protocol over pipes, and edits."""

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PATIENCE = 30  # seconds
MODERN = {
    "workspace": {
        "workspaceEdit": {"documentChanges": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "textDocument": {
        "codeAction": {"dataSupport": True, "resolveSupport": {"properties": ["edit"]}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
    },
}


class Editor:
    """A running server, and the texts that are open."""

    def __init__(
        self, folder: Path, *args: str, able: dict[str, Any] | None = None, path: str = ""
    ) -> None:
        self.folder = folder
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self._number = 0
        self._heard: list[dict[str, Any]] = []
        self._incoming: queue.Queue[dict[str, Any]] = queue.Queue()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "neuronlint", "server", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": path},
        )
        threading.Thread(target=self._listen, daemon=True).start()
        asked = {"processId": None, "rootUri": folder.as_uri(), "capabilities": able or {}}
        self.able = self.request("initialize", asked)["capabilities"]
        self.notify("initialized", {})

    def enter(self, folder: Path) -> None:
        """Close everything, and go on in another folder."""
        for name in [*self.texts]:
            self.close(name)
            del self.texts[name]
        self._heard.clear()
        self.folder = folder

    def open(self, name: str, text: str, language: str = "python") -> list[Any]:
        """Open a text; what the server finds in it."""
        uri = self.uri(name)
        self.texts[name], self.versions[name] = text, 1
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return self.found(name)

    def type(self, name: str, text: str) -> None:
        """Put another text in the place of an open one."""
        self.texts[name] = text
        self.versions[name] += 1
        which = {"uri": self.uri(name), "version": self.versions[name]}
        changed = {"textDocument": which, "contentChanges": [{"text": text}]}
        self.notify("textDocument/didChange", changed)

    def save(self, name: str) -> list[Any]:
        """Say that a text was saved; what the server finds in it."""
        self.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(name)}})
        return self.found(name)

    def close(self, name: str) -> list[Any]:
        """Close a text; what the server finds in it then."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})
        while "version" in (said := self.hear("textDocument/publishDiagnostics")):
            pass  # of the text as it was
        diagnostics: list[Any] = said["diagnostics"]
        return diagnostics

    def found(self, name: str) -> list[Any]:
        """The diagnostics that come next, which are those of this text as it is."""
        said = self.hear("textDocument/publishDiagnostics")
        assert said["uri"] == self.uri(name)
        assert said.get("version") in (None, self.versions[name])
        diagnostics: list[Any] = said["diagnostics"]
        return diagnostics

    def actions(
        self, name: str, line: int = 0, column: int = 0, only: Sequence[str] | None = None
    ) -> list[Any]:
        """What is offered at a place."""
        context: dict[str, Any] = {"diagnostics": []} | ({"only": only} if only else {})
        at = {"line": line, "character": column}
        asked = {"textDocument": {"uri": self.uri(name)}, "range": {"start": at, "end": at}}
        offered: list[Any] = self.request("textDocument/codeAction", {**asked, "context": context})
        return offered

    def do(self, action: dict[str, Any]) -> str:
        """Make the edits of an action in the one text that they are about; the text after."""
        if "edit" not in action:
            action = self.request("codeAction/resolve", action)
        edit = action["edit"]
        if "documentChanges" in edit:
            (change,) = edit["documentChanges"]
            uri, edits = change["textDocument"]["uri"], change["edits"]
            assert change["textDocument"]["version"] in self.versions.values()
        else:
            ((uri, edits),) = edit["changes"].items()
        (name,) = (name for name in self.texts if self.uri(name) == uri)
        self.type(name, edited(self.texts[name], edits))
        return self.texts[name]

    def hover(self, name: str, line: int, column: int) -> Any:
        """What is shown of a place."""
        at = {"line": line, "character": column}
        asked = {"textDocument": {"uri": self.uri(name)}, "position": at}
        return self.request("textDocument/hover", asked)

    def leave(self) -> int:
        """End the server as the protocol has it; its exit status."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """End the server as nothing but its end can."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError, ValueError):
                pipe.close()

    def uri(self, name: str) -> str:
        return name if name.startswith("untitled:") else (self.folder / name).as_uri()

    def request(self, method: str, params: Any) -> Any:
        """Ask something; the answer."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        answer = self._next(lambda said: said.get("id") == self._number and "method" not in said)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def hear(self, method: str) -> Any:
        """What the server says next of some matter."""
        return self._next(lambda said: said.get("method") == method).get("params")

    def is_silent(self, seconds: float) -> bool:
        """Whether nothing more is said for a while."""
        try:
            self._heard.append(self._incoming.get(timeout=seconds))
        except queue.Empty:
            return not self._heard
        return False

    def _next(self, wanted: Any) -> dict[str, Any]:
        for said in self._heard:
            if wanted(said):
                self._heard.remove(said)
                return said
        while True:
            said = self._incoming.get(timeout=PATIENCE)
            if wanted(said):
                return said
            self._heard.append(said)

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _listen(self) -> None:
        out = self.process.stdout
        assert out is not None
        while header := out.readline():
            length = int(header.partition(b":")[2])
            while out.readline().strip():
                pass
            message = json.loads(out.read(length))
            if "id" in message and "method" in message:  # it asks us; we always agree
                with contextlib.suppress(OSError, ValueError):  # unless we have gone
                    self._send({"id": message["id"], "result": None})
            self._incoming.put(message)


def edited(text: str, edits: Sequence[dict[str, Any]]) -> str:
    """The text with edits made as the protocol says: places in UTF-16, all of the old text."""
    raw = text.encode("utf-16-le", "surrogatepass")
    starts = [0]
    for at in range(0, len(raw), 2):
        unit, following = raw[at : at + 2], raw[at + 2 : at + 4]
        if unit == b"\n\0" or (unit == b"\r\0" and following != b"\n\0"):
            starts.append(at + 2)

    def offset(place: dict[str, int]) -> int:
        return starts[place["line"]] + 2 * place["character"]

    made = [
        (offset(each["range"]["start"]), offset(each["range"]["end"]), number, each["newText"])
        for number, each in enumerate(edits)
    ]
    for start, end, _, new in sorted(made, reverse=True):
        raw = raw[:start] + new.encode("utf-16-le") + raw[end:]
    return raw.decode("utf-16-le", "surrogatepass")
