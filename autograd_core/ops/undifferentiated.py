"""The rule of an input for which PyTorch has a graph and no derivative."""

from __future__ import annotations


def no_derivative(name: str, remedy: str = "", error: type[Exception] = NotImplementedError):
    """A rule that refuses: a gradient that would arrive is an error, not a zero. `remedy` says what to do instead.

    PyTorch raises `NotImplementedError` where it knows a derivative of another input, and else `RuntimeError`.
    """

    def refuse(g):
        raise error(f"the derivative for {name} is not implemented{'; ' * bool(remedy)}{remedy}")

    return refuse
