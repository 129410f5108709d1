"""Text to tree, with spans."""
