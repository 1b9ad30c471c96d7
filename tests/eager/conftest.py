"""A fresh runtime for every test."""

import pytest

from tests.eager.harness import World


@pytest.fixture
def world() -> World:
    return World()
