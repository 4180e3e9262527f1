"""Strangers' SQL, in a process of its own."""

LOCKED = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
}
"""Settings of an engine that reads the file that it has opened and fetches nothing. Read-only alone still reads and
writes other files (COPY, ATTACH), and a directory that is allowed is writable."""
