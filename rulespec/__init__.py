"""The rules of board games as text that plays, checks and proves."""
