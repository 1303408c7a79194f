"""One hierarchy of exceptions, with fields."""

from __future__ import annotations

import pickle

import pytest

import cupel_context
from cupel_context import CupelError, errors, fit, select


def test_every_exception_is_one_of_ours() -> None:
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), CupelError), name
        assert getattr(cupel_context, name) is getattr(errors, name)


def test_wrong_values_and_types_are_pythons_own_as_well() -> None:
    with pytest.raises(ValueError):
        fit([], "x")
    with pytest.raises(TypeError):
        select(3, 3)  # type: ignore[arg-type]


def test_exceptions_survive_pickling_with_their_fields() -> None:
    with pytest.raises(errors.UnknownModel) as refused:
        fit([], 3, model="gtp-5")
    again = pickle.loads(pickle.dumps(refused.value))
    assert type(again) is errors.UnknownModel
    assert (str(again), again.near, again.path) == (str(refused.value), refused.value.near, "model")
