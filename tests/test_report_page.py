"""The page of a readiness report, in a browser."""

import base64
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import browser
import pytest
from project import write

from neuronlint import cli

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
FILES = {
    "pkg/train.py": "import torch\n\nx = torch.zeros(2).cuda()\ntorch.cuda.synchronize()\n",
    "pkg/deep/er/data.py": "import torch\n\nx = torch.zeros(2).cuda()  # " + "long " * 60 + "\n",
    "pkg/fine.py": "import torch\n\ny = torch.zeros(2)\n",
    "pkg/gate.py": "import torch\n\nif torch.cuda.is_available():\n    torch.cuda.empty_cache()\n",
    "pkg/kernel.cu": "__global__ void k() {}\n",
    "Dockerfile": "FROM nvidia/cuda:12.4.1-runtime-ubuntu22.04\n",
    "pkg/notes.json": '{"a": 1}\n',
    "pkg/broken.py": "import torch\ntorch.cuda(\n",
    "a&<b>x\x1b.py": f'import torch\n\nz = torch.zeros(2).cuda(); s = "{HOSTILE}"\n',
}
Open = Callable[..., Any]


def report(*args: str) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["report", "--isolated", "-q", *args])
    assert left.value.code == 0


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on a small project that is hostile where it can be."""
    browser.require()
    folder = tmp_path_factory.mktemp("page")
    for name, text in FILES.items():
        write(str(folder / "code" / name), text)
    write(str(folder / "code/many.py"), "import torch\n" + "torch.zeros(2).cuda()\n" * 2100)
    old, new = folder / "old.json", folder / "report.html"
    report(str(folder / "code"), "-o", str(old))
    data = json.loads(old.read_text())
    first, *rest = data["findings"]
    gone = {**first, "key": "of another", "message": "`gone` is gone"}
    old.write_text(json.dumps({**data, "findings": [gone, *rest]}))
    report(str(folder / "code"), "-o", str(new), "--compare", str(old), "--title", "<i>Demo</i>")
    return new


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The browser."""
    browser.require()
    with browser.driver(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def opened(chromium: Any, page: Path) -> Iterator[Open]:
    """Opens the page; nothing it did may have been told to the console or fetched."""

    def opened(other: Path | None = None, **how: Any) -> Any:
        browser.look(chromium, **how)
        chromium.get((other or page).as_uri())
        return chromium

    yield opened
    assert chromium.get_log("browser") == []
    assert chromium.execute_script("return performance.getEntriesByType('resource').length") == 0
    assert chromium.execute_script("return window.hacked") is None


def all_of(page: Any, selector: str) -> list[Any]:
    return list(page.find_elements("css selector", selector))


def choose(page: Any, name: str, value: str) -> None:
    script = """
    const field = document.querySelector(`#filters [name=${arguments[0]}]`);
    field.value = arguments[1];
    field.dispatchEvent(new Event("input", { bubbles: true }));
    """
    page.execute_script(script, name, value)


def shown(page: Any) -> int:
    """How many findings are chosen."""
    found = re.match(r"([\d,]+) of", page.find_element("id", "shown").text)
    assert found
    return int(found[1].replace(",", ""))


def unfold(page: Any) -> None:
    """Show what is in the first finding; a browser tells its page of the click a little later."""
    all_of(page, ".finding summary")[0].click()
    browser.wait(page, lambda: all_of(page, ".finding .inside"))


def test_it_says_how_ready_the_code_is_and_draws_it(opened: Open) -> None:
    page = opened()
    assert (
        page.find_element("css selector", "h1").text == "<i>Demo</i>: 22 % ready for AWS Trainium"
    )
    assert page.find_element("css selector", ".formula b").text == "2 ready files ÷ 9 files = 22 %"
    assert len(all_of(page, "#map .slice")) > 5
    assert [each.text for each in all_of(page, "#project ~ ul .path")] == ["Dockerfile:1:6"]
    assert len(all_of(page, "#bars .bars .point")) > 1
    assert [each.text for each in all_of(page, "#scale li")][-1] == "no PyTorch"


@pytest.mark.parametrize(
    ("source", "said"),
    [("import torch\n", "ready for AWS Trainium"), ("x = 1\n", "no PyTorch code found")],
)
def test_there_may_be_nothing_to_show(opened: Open, tmp_path: Path, source: str, said: str) -> None:
    write(str(tmp_path / "a.py"), source)
    report(str(tmp_path / "a.py"), "--title", "x", "-o", str(tmp_path / "a.html"))
    page = opened(tmp_path / "a.html")
    assert page.find_element("css selector", "h1").text == f"x: {said}"
    assert len(all_of(page, "#map .slice")) == 2
    assert not all_of(page, "#filters, #bars")


def test_filters_and_search_choose_findings(opened: Open) -> None:
    page = opened()
    total = shown(page)
    assert len(all_of(page, ".finding")) == 100
    choose(page, "text", "synchronize NL201")
    assert shown(page) == len(all_of(page, ".finding")) == 1
    page.find_element("css selector", "#filters button").click()
    assert shown(page) == total
    choose(page, "severity", "info")
    assert {each.get_attribute("class") for each in all_of(page, ".finding .dot")} == {"dot info"}
    choose(page, "severity", "")
    choose(page, "path", "pkg/deep")
    assert [each.text for each in all_of(page, ".finding .path")] == ["pkg/deep/er/data.py:3:20"]
    choose(page, "path", "")
    choose(page, "topic", "Files not checked")
    assert [each.text for each in all_of(page, ".finding .path")] == ["pkg/broken.py:2:1"]
    choose(page, "topic", "")
    choose(page, "settled", "person")
    paths = {each.text for each in all_of(page, ".finding .path")}
    assert paths == {"Dockerfile:1:6", "pkg/broken.py:2:1"}
    choose(page, "settled", "")
    choose(page, "age", "new")
    assert shown(page) == len(all_of(page, ".finding .tag")) == 1
    choose(page, "age", "")
    assert shown(page) == total
    choose(page, "text", "no such thing")
    assert shown(page) == len(all_of(page, ".finding")) == 0


def test_a_figure_leads_to_as_many_findings(opened: Open) -> None:
    page = opened()
    for card in all_of(page, ".card"):
        card.click()
        assert f"{shown(page):,}" == card.text.partition("\n")[0]


def test_more_findings_are_shown_when_asked(opened: Open) -> None:
    page = opened()
    page.find_element("id", "more").click()
    assert len(all_of(page, ".finding")) == 200


def test_a_list_of_thousands_stays_fast(opened: Open) -> None:
    page = opened()
    script = """
    const field = document.querySelector("#filters [name=text]");
    const before = performance.now();
    for (const text of ["c", "cu", "cud", "cuda", ""]) {
      field.value = text;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      document.body.offsetHeight;
    }
    return (performance.now() - before) / 5;
    """
    assert page.execute_script(script) < 500  # milliseconds for a letter


def test_a_finding_shows_its_lines_its_fix_and_why(opened: Open) -> None:
    page = opened()
    choose(page, "path", "a&<b>x")
    unfold(page)
    assert [each.text for each in all_of(page, ".finding mark")] == ["cuda"]
    assert HOSTILE in page.find_element("css selector", ".finding .code").text
    fixed = page.find_element("css selector", ".finding .plus:last-child").text
    assert "torch.zeros(2).to(DEVICE)" in fixed
    assert page.find_element("css selector", ".finding .path").text == "a&<b>x\\x1b.py:3:20"
    assert "`" not in page.find_element("css selector", ".finding .inside").text
    assert page.find_element("css selector", ".finding a").get_attribute("href").endswith(".md")


def test_the_map_leads_to_the_findings_of_a_folder(opened: Open) -> None:
    page = opened()
    script = "document.getElementById('map').emit('plotly_treemapclick', arguments[0])"
    page.execute_script(script, {"nextLevel": "/pkg/deep", "points": []})
    assert shown(page) == 1
    page.execute_script(script, {"nextLevel": "/", "points": []})
    assert shown(page) > 2100


def brightness(page: Any, selector: str, what: str) -> float:
    script = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    numbers = re.findall(r"[\d.]+", page.execute_script(script, selector, what))
    return sum(map(float, numbers[:3])) / 3


@pytest.mark.parametrize("width", [1200, 400])
def test_it_is_readable_in_light_and_dark_and_on_a_phone(opened: Open, width: int) -> None:
    page = opened(width=width, scheme="dark")
    for scheme in ("dark", "light"):  # the second while it is open
        browser.look(page, width, scheme)
        paper = brightness(page, "body", "backgroundColor")
        assert paper > 240 if scheme == "light" else paper < 40
        for selector, what in (("body", "color"), ("#bars .ytick text", "fill")):
            assert abs(brightness(page, selector, what) - paper) > 120
        area = brightness(page, "#map .slice path", "fill")
        assert abs(brightness(page, "#map .slice text", "fill") - area) > 70
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    unfold(page)
    assert page.execute_script("return document.documentElement.scrollWidth") <= width


def test_it_prints_on_white_without_what_is_to_be_clicked(opened: Open) -> None:
    page = opened(scheme="dark", media="print")
    assert brightness(page, "body", "backgroundColor") == 255
    assert not page.find_element("id", "filters").is_displayed()
    browser.look(page, scheme="dark")
    printed = page.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    pdf = base64.b64decode(printed["data"])
    assert pdf.startswith(b"%PDF")
    assert 3 < len(re.findall(rb"/Type\s*/Page\b", pdf)) < 20
