"""Builds against the installed torch: pip install --no-build-isolation tests/fake_neuron."""

from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CppExtension

setup(
    name="fake-neuron",
    version="0.1",
    packages=["fake_neuron"],
    package_dir={"": "src"},
    ext_modules=[
        CppExtension("fake_neuron._C", ["csrc/fake_neuron.cpp"], extra_compile_args=["-O1", "-g0"])
    ],
    cmdclass={"build_ext": BuildExtension.with_options(no_python_abi_suffix=True, use_ninja=False)},
    entry_points={
        "torch.backends": ["fake_neuron = fake_neuron:_autoload"],
        "torch_dynamo_backends": ["neuron = fake_neuron._compile:backend"],
    },
    python_requires=">=3.10",
    zip_safe=False,
)
