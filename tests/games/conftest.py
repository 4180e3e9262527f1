"""The assertions of the contract explain themselves as those of a test module do."""

import pytest

pytest.register_assert_rewrite("contract", "throw_checks", "turn_checks")
