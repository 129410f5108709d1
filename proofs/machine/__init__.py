"""State machines that search for a play that breaks a property, and shrink it."""
