"""`rulespec mutate`: small changes of the rules, and what of the rulebook notices them."""
