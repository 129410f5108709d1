"""What never happens: rules, options and branches that no play comes to, premises that are never met."""
