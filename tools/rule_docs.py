"""The rule pages of the site, made from the rules when mkdocs builds it: a hook of mkdocs.yml.

A page is the rule's own one, with its severity and what its fixes can be, worked out from its
examples. Links from the hand-written pages to files of the repository become links to the rule's
page on the site, or to the file at the project's home.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import neuronlint_rules

from neuronlint import Applicability, Rule, engine, own, page
from neuronlint.testing import page_settings

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent
INDEX = "rules/index.md"
TOPICS = {
    "pages": "Files and comments",
    "device": "Devices",
    "runtime": "The torch.cuda API",
    "backends": "Backend flags",
    "precision": "Mixed precision",
    "distributed": "Distributed training",
    "kernels": "Kernels and libraries",
    "gates": "Tests and scripts that ask for CUDA",
    "graph": "Graphs and steps, on by choice",
    "project": "Requirements, containers, scripts and settings",
}
FIXES = {
    Applicability.SAFE: "safe",
    Applicability.UNSAFE: "unsafe",
    Applicability.DISPLAY: "shown only",
    None: "none",
}
_FENCE = re.compile(
    r"^```(?P<language>\w+) (?P<kind>bad|fixed|good)(?: (?P<file>\S+))?$", re.MULTILINE
)
_SENTENCE = re.compile(r"(?s).*?[.:](?=\s|$)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_OUTSIDE = re.compile(r"\]\((\.\./[^)#\s]*)(#[^)\s]*)?\)")


@dataclass(frozen=True)
class Entry:
    """A rule as the index tells of it."""

    rule: Rule
    fixes: tuple[str, ...]

    @property
    def topic(self) -> str:
        """The heading that the rule stands under."""
        folder = self.rule.source.split(".")[1]
        return TOPICS.get(folder, folder.capitalize())

    @property
    def file(self) -> str:
        """The page's place in the site's sources."""
        return f"rules/{self.rule.name}.md"

    @property
    def link(self) -> str:
        """A link to the page from the index."""
        return f"[{self.rule.name}]({self.rule.name}.md)"

    @property
    def fix(self) -> str:
        """What its fixes can be, in words."""
        *most, last = self.fixes
        return f"{', '.join(most)} or {last}" if most else last


def entries() -> list[Entry]:
    """The built-in rules, by code."""
    rules = sorted([*own.RULES, *neuronlint_rules.RULES], key=lambda rule: rule.code)
    return [Entry(rule, _fixes(rule)) for rule in rules]


def _fixes(rule: Rule) -> tuple[str, ...]:
    """The kinds of fixes that the examples on a rule's page have."""
    text = page.read(rule)
    blocks, settings = page.blocks(text), page_settings(rule, text)
    if rule in own.RULES:  # these have no checks to run
        return ("safe",) if any(block.kind == "fixed" for block in blocks) else ("none",)
    found = {
        finding.fix.applicability if finding.fix else None
        for block in blocks
        if block.kind == "bad"
        for finding in engine.check(block.code.encode(), Path(block.file), [rule], settings)
    }
    return tuple(word for kind, word in FIXES.items() if kind in found)


def text(entry: Entry) -> str:
    """The site's page of a rule."""
    title, _, rest = page.read(entry.rule).partition("\n")
    return f"{title}\n\n{_facts(entry)}\n{_FENCE.sub(_titled, rest)}"


def _facts(entry: Entry) -> str:
    rule = entry.rule
    facts = [f"Severity: **{rule.severity.value}**"]
    if rule.guarded is not rule.severity and rule not in own.RULES:
        where = "in code that only CUDA reaches"
        facts.append(f"{where}: **{rule.guarded.value if rule.guarded else 'no finding'}**")
    facts.append(f"fix: **{entry.fix}**")
    if rule.optional:
        facts.append(f"on by choice: `--extend-select {rule.code}`")
    return f"{'; '.join(facts)}. [All rules](index.md)\n"


def _titled(match: re.Match[str]) -> str:
    title = f"{match['kind']} {match['file'] or ''}".rstrip()
    return f'```{match["language"]} title="{title}"'


def index(listed: list[Entry]) -> str:
    """The page that lists all rules: by topic, by fix and by severity."""
    return "\n".join(
        [
            HEAD,
            *_by_topic(listed),
            "## By fix\n",
            *_by_fix(listed),
            "## By severity\n",
            *_by_severity(listed),
        ]
    )


HEAD = """\
# Rules

Each page tells why, and shows code that has findings (`bad`), what `--fix --unsafe-fixes` makes of
it (`fixed`), and code that has none (`good`). A comment with the code, such as `# NL101`, marks a
line with a finding. All examples are run as tests. `neuronlint rule NL101` prints a page.

Severity is what happens where CUDA is not: **error** it fails, **warning** it silently does
something else, **info** it is harmless but of use on CUDA only. A fix is **safe** if the program
does the same with it on CUDA and on a machine with only a CPU; one that may change something is
**unsafe**, and the rule's page says what.
"""


def _by_topic(listed: list[Entry]) -> Iterator[str]:
    for topic, group in groupby(listed, key=lambda entry: entry.topic):
        rows = [
            f"| {entry.rule.code} | {entry.link} | {summary(entry.rule)} "
            f"| {entry.rule.severity.value} | {entry.fix} |"
            for entry in group
        ]
        head = ["| code | name | what it is about | severity | fix |", "|---|---|---|---|---|"]
        yield "\n".join([f"## {topic}\n", *head, *rows, ""])


def _by_fix(listed: list[Entry]) -> Iterator[str]:
    yield _links("Safe", (entry for entry in listed if entry.fixes == ("safe",)))
    mixed = (entry for entry in listed if "safe" in entry.fixes and len(entry.fixes) > 1)
    yield _links("Safe where the code shows enough", mixed)
    unsafe = (each for each in listed if "safe" not in each.fixes and each.fixes != ("none",))
    yield _links("Unsafe or shown only", unsafe)
    yield _links("None", (entry for entry in listed if entry.fixes == ("none",)))


def _by_severity(listed: list[Entry]) -> Iterator[str]:
    for word in ("error", "warning", "info"):
        fitting = (entry for entry in listed if entry.rule.severity.value == word)
        yield _links(word.capitalize(), fitting)


def _links(title: str, listed: Iterable[Entry]) -> str:
    return f"**{title}**: {', '.join(entry.link for entry in listed)}.\n"


def summary(rule: Rule) -> str:
    """The first sentence of a rule's page, as a cell of a table."""
    paragraph = page.read(rule).split("\n\n")[1].replace("\n", " ")
    sentence = _SENTENCE.match(_LINK.sub(r"\1", paragraph))
    assert sentence is not None, f"{rule.code}: its page begins without a sentence"
    return sentence[0].rstrip(".:").replace("|", "\\|")


def outward(markdown: str, source: str, listed: Iterable[Entry]) -> str:
    """A hand-written page with its links to files outside docs/ as the site can follow them."""
    pages = {f"{_folder(entry.rule)}.md": entry.file for entry in listed} | {"rules": INDEX}
    folder = ROOT / "docs" / Path(source).parent

    def followed(match: re.Match[str]) -> str:
        target = Path(os.path.normpath(folder / match[1]))
        if not target.exists() or target.is_relative_to(ROOT / "docs"):
            return match[0]  # a broken link is told by mkdocs
        name = target.relative_to(ROOT).as_posix()
        anchor = match[2] or ""
        if name in pages:
            return f"]({os.path.relpath(ROOT / 'docs' / pages[name], folder)}{anchor})"
        return f"]({page.HOME}/{'tree' if target.is_dir() else 'blob'}/main/{name}{anchor})"

    return _OUTSIDE.sub(followed, markdown)


def _folder(rule: Rule) -> str:
    """Where the rule's page lies in the repository, without its ending."""
    return rule.source.replace("neuronlint_rules", "rules").replace(".", "/")


# -- what mkdocs calls --


def on_config(config: MkDocsConfig) -> None:
    """Put the rules' pages under their heading of the navigation, and at its end what it lacks."""
    listed = {name for section in config.nav or () for name in section.values()}
    unlisted = {file.name for file in Path(config.docs_dir).glob("*.md")} - listed
    config.nav = [*(config.nav or ()), *sorted(unlisted)]
    for section in config.nav:
        if isinstance(section, dict) and section.get("Rules") == INDEX:
            topics: list[Any] = [INDEX]
            for topic, group in groupby(entries(), key=lambda entry: entry.topic):
                topics.append({topic: [entry.file for entry in group]})
            section["Rules"] = topics


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the rules' pages."""
    from mkdocs.structure.files import File

    listed = entries()
    for name, content in [(INDEX, index(listed)), *((each.file, text(each)) for each in listed)]:
        files.append(File.generated(config, name, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links to the repository's files into ones that the site can follow."""
    if page.file.generated_by is not None:
        return markdown
    return outward(markdown, page.file.src_uri, entries())
