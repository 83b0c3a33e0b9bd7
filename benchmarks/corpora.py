"""The code that is checked: the Python files of public packages, which are not installed."""

from __future__ import annotations

import json
import shutil
import sys
import tarfile
import urllib.request
import zipfile
from pathlib import Path

import environments

WHEELS = ("timm", "transformers", "diffusers")
SDIST = "vllm"  # pip cannot prepare it without torch


def downloaded(work: Path) -> list[Path]:
    """The unpacked packages, fetched if they are not there yet."""
    folder = work / "packages"
    folder.mkdir(parents=True, exist_ok=True)
    for name in WHEELS:
        if not (folder / name).is_dir():
            archives = work / "archives" / name
            where = ("--no-deps", "--only-binary", ":all:", "--dest", str(archives))
            environments.pip(sys.executable, "download", "--quiet", *where, name)
            for wheel in archives.glob("*.whl"):
                zipfile.ZipFile(wheel).extractall(folder / name)
    if not (folder / SDIST).is_dir():
        _unpack_sdist(SDIST, work / "archives", folder / SDIST)
    return [folder / name for name in (*WHEELS, SDIST)]


def copied(source: Path, target: Path) -> Path:
    """The Python files of a folder in another one, all as new as a checkout's."""
    shutil.rmtree(target, ignore_errors=True)
    for path in sorted(source.rglob("*.py")):
        if path.is_file() and not path.is_symlink():
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    return target


def sample(source: Path, target: Path, number: int) -> Path:
    """So many files of a folder, spread evenly over it, in another one."""
    shutil.rmtree(target, ignore_errors=True)
    paths = sorted(source.rglob("*.py"))
    for path in paths[:: max(len(paths) // number, 1)][:number]:
        copy = target / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return target


def _unpack_sdist(name: str, archives: Path, target: Path) -> None:
    with urllib.request.urlopen(f"https://pypi.org/pypi/{name}/json") as answer:
        files = json.load(answer)["urls"]
    url = next(each["url"] for each in files if each["packagetype"] == "sdist")
    archives.mkdir(parents=True, exist_ok=True)
    archive = archives / url.rpartition("/")[2]
    with urllib.request.urlopen(url) as answer, archive.open("wb") as file:
        shutil.copyfileobj(answer, file)
    with tarfile.open(archive) as members:
        members.extractall(target, filter="data")
