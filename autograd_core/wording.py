"""The words that figures, widgets and verdicts show, in the reader's language.

English stands in the code and is its own key: `_("{name} is released").format(name=...)`. Translations are gettext
catalogs in `locale/LANGUAGE/LC_MESSAGES/autograd_core.po`, compiled to `.mo`; the environment variable
AUTOGRAD_CORE_LANGUAGE chooses one, and what a catalog lacks stays English.
"""

import gettext
import os
from functools import cache
from pathlib import Path

LOCALE = Path(__file__).with_name("locale")


@cache
def _catalog(language: str) -> gettext.NullTranslations:
    return gettext.translation("autograd_core", LOCALE, [language], fallback=True)


def translate(text: str) -> str:
    """The sentence in the language that AUTOGRAD_CORE_LANGUAGE names; imported as `_`, which extraction tools know.

    >>> translate("Next")
    'Next'
    """
    return _catalog(os.environ.get("AUTOGRAD_CORE_LANGUAGE", "en")).gettext(text)
