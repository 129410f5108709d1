"""Playing at a terminal: people at one keyboard, and opponents that see no more than their seat may."""
