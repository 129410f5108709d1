"""Parts of the handbook that are made from the toolkit: its grammar, codes, commands, public names."""
