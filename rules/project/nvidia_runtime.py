"""NL904: a container that is given NVIDIA's devices."""

from __future__ import annotations

from collections.abc import Iterator

from neuronlint import Command, Document, Entry, Match, Option, Rule, Severity

rule = Rule(
    "NL904",
    "nvidia-runtime",
    "`{old}` needs NVIDIA's container runtime; other devices are handed over in a way of their own",
    __name__,
    Severity.ERROR,
    triggers=("--gpus", "runtime", "driver", "nvidia-docker", "nvidia.com/gpu"),
    project=True,
)

_ENGINES = frozenset({"docker", "podman", "nerdctl"})


@rule.check
def nvidia_option(node: Option, document: Document) -> Iterator[Match]:
    """An option of `docker run` that asks for the devices or the runtime."""
    if node.program not in _ENGINES:
        return
    if node.name == "gpus":
        yield rule.match(node, old=f"--gpus {node.value}".strip())
    elif node.name == "runtime" and node.value == "nvidia":
        yield rule.match(node, old="--runtime nvidia")


@rule.check
def nvidia_docker(node: Command, document: Document) -> Iterator[Match]:
    """The command that stood for that runtime once."""
    if node.program in ("nvidia-docker", "nvidia-docker2"):
        yield rule.match(node, old=node.program)


@rule.check
def nvidia_entry(node: Entry, document: Document) -> Iterator[Match]:
    """A service that reserves the devices, in the words of Compose or Kubernetes."""
    match node.keys:
        case (*_, "services", _, "runtime") if node.value == "nvidia":
            yield rule.match(node, old="runtime: nvidia")
        case (*_, "reservations", "devices", "-", "driver") if node.value == "nvidia":
            yield rule.match(node, old="driver: nvidia")
        case (*_, "limits" | "requests", "nvidia.com/gpu"):
            yield rule.match(node, old="nvidia.com/gpu")
