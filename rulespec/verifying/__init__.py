"""`rulespec verify`: what is to be verified, the processes that do it, and how it is told."""
