"""Sums of squares of normal numbers."""

from __future__ import annotations

from .gamma import Gamma


class Chi2(Gamma):
    """The sum of `df` squares of standard normal numbers: Gamma(df / 2, 1 / 2).

    >>> import autograd_core as ac
    >>> ac.distributions.Chi2(3.0).mean
    tensor(3.)
    """

    def __init__(self, df, validate_args=None):
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    @property
    def df(self):
        """How many squares."""
        return self.concentration * 2
