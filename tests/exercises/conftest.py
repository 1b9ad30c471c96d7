"""Here, too, every test begins with a fresh session that nobody grades."""

from tests.check.conftest import fresh_session

__all__ = ["fresh_session"]
