"""Strangers' SQL, in a process of its own."""
