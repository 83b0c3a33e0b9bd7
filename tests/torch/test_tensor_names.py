"""What torch gives is what the table of names says."""

import pytest

from neuronlint import tensor_names as names

torch = pytest.importorskip("torch")


def given(name: str, tensor: object) -> object:
    """What a function gives for a tensor and what it takes beside it, None where it needs more."""
    function = getattr(torch, name, None) or getattr(torch.Tensor, name)
    for more in ((), (tensor,), (0,), (0, 1), (2,), (0.5,), ([2, 2],), (0, tensor.long(), tensor)):  # type: ignore[attr-defined]
        try:
            return function(tensor, *more)
        except (TypeError, RuntimeError, IndexError, ValueError):
            continue
    return None


@pytest.mark.parametrize("name", sorted(names.COMPUTE | names.MASKS | names.SEVERAL))
def test_a_name_is_one_of_torch(name: str) -> None:
    assert hasattr(torch, name) or hasattr(torch.Tensor, name)


@pytest.mark.parametrize("name", sorted(names.METHODS | names.TELLING | names.GRADIENT))
def test_a_method_is_one_of_tensors(name: str) -> None:
    assert hasattr(torch.Tensor, name)


@pytest.mark.parametrize("name", sorted(names.CREATE | names.COMBINE))
def test_a_function_that_makes_tensors_is_one_of_torch(name: str) -> None:
    assert hasattr(torch, name)


@pytest.mark.parametrize("name", sorted(names.COMPUTE | names.MASKS))
def test_a_function_gives_one_tensor(name: str) -> None:
    result = given(name, torch.ones(2, 2))
    assert result is None or isinstance(result, torch.Tensor)
    if name in names.MASKS and result is not None:
        assert result.dtype is torch.bool


@pytest.mark.parametrize("name", sorted(names.SEVERAL))
def test_a_function_gives_several_tensors(name: str) -> None:
    result = given(name, torch.ones(2, 2))
    assert result is None or all(isinstance(one, torch.Tensor) for one in tuple(result))


@pytest.mark.parametrize("name", sorted(names.BY_DIMENSION))
def test_a_dimension_makes_several_tensors_of_one(name: str) -> None:
    tensor = torch.ones(2, 2)
    whole = getattr(tensor, name)()
    assert isinstance(whole, torch.Tensor)
    assert len(getattr(tensor, name)(0)) == 2


@pytest.mark.parametrize("name", sorted(names.NO_TENSOR))
def test_a_module_that_gives_something_else_is_one_of_torch(name: str) -> None:
    assert hasattr(torch.nn, name)
