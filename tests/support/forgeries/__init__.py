"""Forgeries: each alters one thing in a results folder; `verify` must name its places and no others."""

from support.forgeries import catalogue, folder, mapped, shown, slices

FORGERIES = slices.FORGERIES | mapped.FORGERIES | catalogue.FORGERIES | shown.FORGERIES | folder.FORGERIES
"""All forgeries by name."""
