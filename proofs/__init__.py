"""What must be true of a core, and how surely it is known."""
