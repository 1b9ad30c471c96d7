"""The words that figures, widgets and verdicts show, in the reader's language.

English stands in the code and is its own key: `_("{name} is released").format(name=...)`, and where a number decides
`ngettext("{n} leaf", "{n} leaves", n).format(n=n)`. Translations are gettext catalogs in
`locale/LANGUAGE/LC_MESSAGES/autograd_core.po`, compiled to `.mo`; the environment variable AUTOGRAD_CORE_LANGUAGE
chooses one, and what a catalog lacks stays English.
"""

import gettext
import os
from functools import cache
from pathlib import Path

LOCALE = Path(__file__).with_name("locale")


@cache
def _catalog(language: str) -> gettext.NullTranslations:
    return gettext.translation("autograd_core", LOCALE, [language], fallback=True)


def _chosen() -> gettext.NullTranslations:
    return _catalog(os.environ.get("AUTOGRAD_CORE_LANGUAGE", "en"))


def translate(text: str) -> str:
    """The sentence in the language that AUTOGRAD_CORE_LANGUAGE names; imported as `_`, which extraction tools know.

    >>> translate("Next")
    'Next'
    """
    return _chosen().gettext(text)


def ngettext(one: str, many: str, number: int) -> str:
    """The sentence for a number of things, in the reader's language, which may have more than two forms.

    >>> [ngettext("{n} leaf", "{n} leaves", n).format(n=n) for n in (1, 2)]
    ['1 leaf', '2 leaves']
    """
    return _chosen().ngettext(one, many, number)
