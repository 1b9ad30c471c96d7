"""Anomaly mode: an error or a NaN in a reverse pass is traced to the forward line it comes from.

Every node knows the line that recorded it. In this mode the reverse pass looks at what each node returns, so it is for
debugging only.
"""

from __future__ import annotations

import warnings

from ..core.modes import ModeSwitch, checked_switch, current_mode, set_mode


def is_anomaly_enabled() -> bool:
    """True inside `detect_anomaly()`.

    >>> import autograd_core as ac
    >>> ac.is_anomaly_enabled()
    False
    """
    return current_mode().anomaly is not None


def is_anomaly_check_nan_enabled() -> bool:
    """True where anomaly mode takes a NaN for an error.

    >>> import autograd_core as ac
    >>> with ac.autograd.set_detect_anomaly(True, check_nan=False):
    ...     ac.is_anomaly_enabled(), ac.is_anomaly_check_nan_enabled()
    (True, False)
    """
    return current_mode().anomaly is True


class detect_anomaly(ModeSwitch):
    """Backward passes inside name the forward line of an op whose backward raises.

    With `check_nan` it is a RuntimeError when a gradient has a NaN. Warns that it is slow.

    >>> import warnings, autograd_core as ac
    >>> warnings.simplefilter("ignore")
    >>> w = ac.zeros(1, requires_grad=True)
    >>> with ac.autograd.detect_anomaly():
    ...     (w.sqrt() * 0).sum().backward()
    Traceback (most recent call last):
    RuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output. ...
    """

    def __init__(self, check_nan: bool = True):
        super().__init__()
        self.check_nan = checked_switch("detect_anomaly", "check_nan", check_nan)
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            UserWarning,
            stacklevel=2,
        )

    def _changes(self, outside):
        return {"anomaly": self.check_nan}

    def _copy(self):
        return self


class set_detect_anomaly:
    """Switch anomaly mode on or off: at once when called, until the block ends in a `with`.

    >>> import autograd_core as ac
    >>> with ac.autograd.set_detect_anomaly(True):
    ...     ac.is_anomaly_enabled()
    True
    >>> ac.is_anomaly_enabled()
    False
    """

    def __init__(self, mode: bool, check_nan: bool = True):
        self._before = current_mode().anomaly
        checked_switch("set_detect_anomaly", "mode", mode)
        checked_switch("set_detect_anomaly", "check_nan", check_nan)
        set_mode(current_mode().but(anomaly=check_nan if mode else None))

    def __enter__(self) -> None:
        pass

    def __exit__(self, *_exception) -> None:
        set_mode(current_mode().but(anomaly=self._before))
