"""A rulebook that means harm: each text in it tries to be HTML, Markdown, an address or a script."""

from __future__ import annotations

BAD = "</td><script>alert(1)</script>**x** [a](javascript:b) \\\" onload='y' ${1} site:../../z"
HOSTILE = f"""
game hostile "{BAD}"
source rb "{BAD}" of 9 lines
use "helper"
players 2..3
enum Side "{BAD}" @rb(1):
    heads "{BAD}"
    assumed "{BAD}" @rb(2):
        tails "{BAD}"
table Card "{BAD}" @rb(3):
    columns side: Side, worth: Int in 0..9
    one "{BAD}": heads, 1
    assumed "{BAD}" where worth in 1..9:
        two "{BAD}": tails, 2
piece Token "{BAD}" of Card: 1 each in box
currency coin "{BAD}": 5 in bank unless reading bank is endless
param most "{BAD}": Int = 2 assumed "{BAD}"
reading bank "{BAD}" IP1:
    limited "{BAD}" default
    endless "{BAD}"
reading late "{BAD}":
    never "{BAD}" default
variant long "{BAD}":
    most = 3
when players = 3:
    most = 1
scope tiny "{BAD}":
    players 2
    most = 1
state:
    box "{BAD}": Set[Token]
    shown "{BAD}": Bool
    per player:
        purse "{BAD}" private unless shown: coin in 0..20
        points: points in 0..9
rule setup "{BAD}":
    nothing
rule play "{BAD}":
    for p in players:
        if size(players) = 2 and reading bank is endless or variant long:
            pay up to 1 * most from bank to p.purse
ranking "{BAD}" for p: p.points
"""

# What may stand between the blocks of a rulebook.
PROSE = """
# <img src=x onerror=alert(2)> [x](javascript:alert(2)) {#rs-tip onclick=alert(2)}

<script>alert(2)</script>

[here](javascript:alert(2)) [there](data:text/html,alert(2)) ![this](javascript:alert(2)) ![it](/etc/passwd)
[out](https://example.org/) [out](//example.org) <javascript:alert(2)> [ref]

[ref]: javascript:alert(2)

<div data-chunk="0" data-of="abcdef"></div> {{ config }} {% raw %} --8<-- "/etc/passwd"

```html
</code></pre><script>alert(2)</script>
```

| a | b |
|---|---|
| <b onmouseover=alert(2)>x</b> | `</td><script>alert(2)</script>` |
"""
