"""Checks of a results folder: its files, copies and certificates, and its values against another build."""
