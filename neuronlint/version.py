"""The release that this is: where the package's metadata has it from."""

VERSION = "0.1.0"
SAID = f"neuronlint {VERSION}\n"
