"""Readable Python generated from a core."""
