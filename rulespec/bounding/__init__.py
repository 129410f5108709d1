"""`rulespec bounds`: what is looked at, and how what is found is told."""
