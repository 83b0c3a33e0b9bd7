"""A real browser without a window, to look at pages with."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

PATIENCE = 60  # seconds
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--hide-scrollbars",
)
_BROWSERS = ("google-chrome", "chromium", "chromium-browser")


def _found(*names: str) -> str | None:
    """Where the first of these programs is that is installed."""
    return next((path for name in names if (path := shutil.which(name))), None)


def require() -> None:
    """Skip where there is no Chromium, or fail with NEURONLINT_REQUIRE_CHROMIUM=1."""
    needed = {"chromium": _found(*_BROWSERS), "chromedriver": _found("chromedriver")}
    if missing := [name for name, path in needed.items() if path is None]:
        reason = f"not installed: {', '.join(missing)}"
        if os.environ.get("NEURONLINT_REQUIRE_CHROMIUM") == "1":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)


@contextmanager
def driver(profile: Path) -> Iterator[Any]:
    """A browser that keeps what it keeps in a folder."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(_found(*_BROWSERS))
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    started = webdriver.Chrome(options, Service(_found("chromedriver")))
    try:
        yield started
    finally:
        started.quit()


def wait(browser: Any, until: Callable[[], Any]) -> None:
    """Wait for something that a page does in its own time."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser, PATIENCE).until(lambda _: until())


def look(browser: Any, width: int = 1200, scheme: str = "light", media: str = "") -> None:
    """Look at the page on a screen of so many pixels, in light or dark, or as it is printed."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": features})
