"""The rule of an input for which PyTorch has a graph and no derivative."""

from __future__ import annotations


def no_derivative(name: str, remedy: str = ""):
    """A rule that refuses: a gradient that would arrive is an error, not a zero. `remedy` says what to do instead."""

    def refuse(g):
        raise NotImplementedError(f"the derivative for {name} is not implemented{'; ' * bool(remedy)}{remedy}")

    return refuse
