"""The registry of all diagnostic codes. Each stage lists its own: to add one, add a `Code` there.

| codes | about | listed in |
|---|---|---|
| R00xx | files that cannot be read | `file_codes.py` |
| R01xx | reading text: layout, spelling of the language | `surface/codes.py` |
| R02xx | names | `typed/codes.py` |
| R03xx | types and units | `typed/codes.py` |
| R04xx | rules and control flow | `typed/codes.py` |
| R05xx | components, configurations, limits | `core/codes.py` |
| R06xx | examples | `core/codes.py` |

A stage may add a code of any group to its list; the group is told by the number alone.
"""

from __future__ import annotations

from rulespec.compiler.core.codes import CORE
from rulespec.compiler.diagnostics import Code
from rulespec.compiler.file_codes import FILES
from rulespec.compiler.surface.codes import SURFACE
from rulespec.compiler.typed.codes import TYPED

__all__ = ["REGISTRY", "Code"]

REGISTRY: dict[str, Code] = {
    code.code: code for code in sorted((*FILES, *SURFACE, *TYPED, *CORE), key=lambda c: c.code)
}
