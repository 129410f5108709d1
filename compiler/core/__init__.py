"""One configuration of a typed rulebook as a flat transition system."""
