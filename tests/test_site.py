"""The site is built without the network, and every link in it leads somewhere."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from checkout import ROOT

pytest.importorskip("mkdocs", reason="mkdocs is not installed; the extra docs has it")
pytest.importorskip("material", reason="mkdocs-material is not installed; the extra docs has it")

LOADING = {"script", "img", "iframe", "source", "video", "audio", "embed", "object"}


class Document(HTMLParser):
    """What a page of the site links to, what it loads, and where it can be linked to."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors = {""}
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        loads = tag in LOADING or (tag == "link" and given.get("rel") != "canonical")
        if loads and (address := given.get("src") or given.get("href") or given.get("data")):
            self.loaded.append(address)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir"]
    nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY"), "http://127.0.0.1:9")
    environment = {**os.environ, **nowhere, "NO_MKDOCS_2_WARNING": "1"}
    built = subprocess.run(
        [*command, str(folder)], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return folder


@pytest.fixture(scope="module")
def documents(site: Path) -> dict[Path, Document]:
    return {file: Document(file) for file in site.rglob("*.html")}


def test_every_link_leads_to_a_page_and_its_anchor(documents: dict[Path, Document]) -> None:
    for file, document in documents.items():
        if file.name == "404.html":
            continue
        for link in document.links:
            parts = urlsplit(link)
            if parts.scheme:
                assert parts.scheme in ("http", "https"), link
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            assert target in documents, f"{file.name}: {link}"
            if not parts.fragment.startswith("__"):  # the theme's own
                assert unquote(parts.fragment) in documents[target].anchors, f"{file.name}: {link}"


def test_nothing_is_loaded_from_another_host(site: Path, documents: dict[Path, Document]) -> None:
    for file, document in documents.items():
        for address in document.loaded:
            assert not urlsplit(address).netloc, f"{file.name}: {address}"
            if file.name != "404.html":
                assert (file.parent / address).exists(), f"{file.name}: {address}"
    for style in site.rglob("*.css"):
        addresses = re.findall(r"(?:url\(|@import )[\"']?(?:https?:)?//", style.read_text())
        assert not addresses, style.name


def test_every_rule_can_be_reached_from_the_list(documents: dict[Path, Document]) -> None:
    (rules,) = [file for file in documents if file.parts[-2:] == ("rules", "index.html")]
    listed = {link.partition("#")[0] for link in documents[rules].links}
    pages = {file.name for file in rules.parent.glob("*.html")} - {"index.html"}
    assert len(pages) > 40
    assert pages <= listed
