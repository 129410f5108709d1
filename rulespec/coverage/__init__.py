"""Which paragraphs of its sources a rulebook accounts for, and what has changed in them."""
