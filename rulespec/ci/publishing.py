"""The stage that builds the site of all rulebooks, to see whether it can be built, and keeps none of it."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from rulespec.ci.finding import Finding, Opened
from rulespec.ci.stage import Told, Work
from rulespec.ci.texts import counted, not_tried, told_by_compiler

NEEDED = ("mkdocs", "material")
MISSING = "not built: the extra `site` is not installed (`pip install rulespec[site]`)"


def built(books: Sequence[Opened], work: Work) -> Told:
    """One site of all rulebooks that have no errors."""
    if any(find_spec(name) is None for name in NEEDED):
        return Told(MISSING, skipped=True)
    from rulespec.api import RulesError
    from rulespec.site import build as site
    from rulespec.site.rendering import Failed, Missing
    from rulespec.site.subject import Subject
    from rulespec.whole_file import Unwritable

    untried = [each.name for each in books if each.has_errors]
    found = [finding for each in books if each.has_errors for finding in told_by_compiler(each, work)]
    subjects = {each: Subject(each.name) for each in books if not each.has_errors}
    if not subjects:
        return Told("; ".join(not_tried(untried)), tuple(found), failed=True)
    try:
        with tempfile.TemporaryDirectory(prefix="rulespec-ci-") as folder:
            place = Path(folder, "site")
            made = site.build(list(subjects.values()), place, tell=lambda text: work.tell(f"site: {text}"))
    except site.BrokenLinks as error:
        names = {subject.name: opened for opened, subject in subjects.items()}
        for each in error.broken:
            opened = names.get(each.page.partition("/")[0], next(iter(subjects)))
            found.append(_broken(opened, f"in the site, `{each.page}`: {each.reason}"))
        return Told(counted(len(error.broken), "broken link"), tuple(found))
    except RulesError as error:
        opened = next(iter(subjects))
        found += [opened.found(each, "") for each in error.diagnostics]
        return Told("; ".join(not_tried([opened.name])), tuple(found), failed=True)
    except (Missing, Failed, Unwritable, site.SameName) as error:
        return Told(str(error), tuple(found), failed=True)
    return Told(
        "; ".join([counted(made.pages, "page"), *not_tried(untried)]), tuple(found), failed=bool(untried)
    )


def _broken(opened: Opened, message: str) -> Finding:
    return opened.finding("site-link", "error", message, opened.beginning, f"{opened.name}: {message}")
