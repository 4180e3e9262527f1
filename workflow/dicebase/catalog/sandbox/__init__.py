"""Run untrusted SQL in a separate process."""

LOCKED = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
}
"""DuckDB settings that permit reading the opened file and nothing else. Opening it read-only is not enough: COPY and
ATTACH still reach other files, and an allowed directory is writable."""
