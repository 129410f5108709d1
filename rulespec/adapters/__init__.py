"""Games of rulespec in the field's own tools; each module needs the extra of the same name.

    rulespec.adapters.pettingzoo    environments of PettingZoo, with spaces of Gymnasium
    rulespec.adapters.openspiel     games of OpenSpiel; importing it registers `rulespec(game=...)`

Beside them stands what both are made of: `setting`, `utility`, `lengths`, `tensors`, `pictures`.
"""
