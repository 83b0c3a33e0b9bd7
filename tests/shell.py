"""A project on disk, in which neuronlint is run from records or the long way."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

START = "import sys\nfrom neuronlint.{}\nmain()\n"
LOADED = """
import atexit, sys
atexit.register(lambda: print("LOADED", *sys.modules, file=sys.stderr))
"""
CLEAN = "import os\n\nprint(os.name)  # noqa: E501\n"
OLD = "import torch\n\ntorch.cuda.synchronize()\n"


class Shell:
    """A project on disk, in which neuronlint is run the short way or the long way."""

    def __init__(self, folder: Path, starts: Path) -> None:
        self.project, self.cache, self.starts = folder / "project", folder / "cache", starts
        self.site = folder / "site"
        self.site.mkdir()
        (self.project / "package").mkdir(parents=True)
        (self.project / ".git").mkdir()
        self.write("package/clean.py", CLEAN)
        self.write("package/old.py", OLD)
        self.env: dict[str, str] = {}
        self.cache.mkdir()
        if (starts / "kept").exists():
            shutil.copytree(starts / "kept", self.cache / "neuronlint")

    def write(self, name: str, text: str) -> None:
        file = self.project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run(self, start: str, *args: str) -> "subprocess.CompletedProcess[str]":
        kept = {k: v for k, v in os.environ.items() if not k.startswith("NEURONLINT_")}
        if start == "long":  # and not by what another run has noted
            kept["NEURONLINT_NO_CACHE"] = "1"
        env = {**kept, "XDG_CACHE_HOME": str(self.cache), "PYTHONPATH": str(self.site), **self.env}
        return subprocess.run(
            [sys.executable, str(self.starts / f"{start}.py"), *args],
            **{"cwd": self.project, "capture_output": True, "check": False},
            **{"encoding": "utf-8", "errors": "replace"},
            timeout=60,
            env=env,
        )

    def long(self, *args: str) -> tuple[int, str, str]:
        ran = self.run("long", *args)
        return ran.returncode, ran.stdout, ran.stderr

    def short(self, *args: str) -> tuple[int, str, str]:
        return self.looked(*args)[0]

    def looked(self, *args: str) -> tuple[tuple[int, str, str], set[str]]:
        """What a run said, and the modules that it loaded."""
        ran = self.run("short", *args)
        said, _, loaded = ran.stderr.rpartition("LOADED")
        return (ran.returncode, ran.stdout, said), set(loaded.split())

    def is_quick(self, *args: str) -> bool:
        """Whether a run was quick, which said what the long way says."""
        said, loaded = self.looked(*args)
        assert said == self.long(*args)
        return "click" not in loaded

    def learns(self, *args: str) -> None:
        """Make a run known, which was not."""
        time.sleep(0.1)  # what changed just now is not kept
        assert not self.is_quick(*args)
        assert self.is_quick(*args)

    def sees(self, *args: str) -> bool:
        """Whether a run that was known is not any more; it says what the long way says."""
        return not self.is_quick(*args)
