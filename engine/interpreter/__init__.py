"""The meaning of a core, slow and obvious."""
