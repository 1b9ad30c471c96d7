"""A switch of a figure, made of radio buttons, so that it works by keys and where no script runs."""

from collections.abc import Sequence
from html import escape


def knob(ident: str, name: str, options: Sequence[str]) -> str:
    """Radio buttons under the heading `name`; the first is on. Button k has the id `{ident}-{k}` and the value k."""
    buttons = "".join(
        f'<label><input type="radio" name="{ident}" id="{ident}-{k}" value="{k}"{" checked" if k == 0 else ""}>'
        f"<span>{escape(option)}</span></label>"
        for k, option in enumerate(options)
    )
    return f"<fieldset><legend>{escape(name)}</legend>{buttons}</fieldset>"
