"""How a claim stands, as small pieces of HTML: told by a sign, a word and a color."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from rulespec.compiler.spans import Citation
from rulespec.proofs.verdicts import Play, Step
from rulespec.reference.verdicts import ABSENT, STALE, Claimed, Place
from rulespec.site import address
from rulespec.site.page import text
from rulespec.site.subject import Subject
from rulespec.verifying.table import MEANINGS as OF_VERDICTS

SIGNS = {
    "proved": "✓",
    "exhaustive": "▣",
    "vacuous": "∅",
    "bounded": "◔",
    "sampled": "≈",
    "unknown": "?",
    "refuted": "✗",
    STALE: "↻",
    ABSENT: "○",
}
MEANINGS = {
    **OF_VERDICTS,
    STALE: "there was a verdict, but the rules, or the verifier, have changed since: it counts no more",
    ABSENT: "nobody has tried yet",
}


def badge(word: str, told: str = "") -> str:
    """A word for how something stands, or what is `told` of it, with its sign and color."""
    shown = told or word
    kind = word.replace(" ", "-")
    return (
        f'<span class="verdict verdict--{kind}">'
        f'<span aria-hidden="true">{SIGNS[word]}</span> {text(shown)}</span>'
    )


def unseen(value: str) -> str:
    """For screen readers alone."""
    return f'<span class="unseen">{text(value)}</span>'


def column(place: Place) -> str:
    """What a place is called over a column: `3 players`, `pocket`."""
    return place.scope or place.label


def claim_link(subject: Subject, claimed: Claimed) -> str:
    """The claim's title, as a link to its verdicts."""
    return f'<a href="{address.claim(subject.name, claimed.name)}">{text(claimed.title)}</a>'


def rule_links(subject: Subject, rules: Iterable[str]) -> str:
    """The rules' titles as links, divided by commas."""
    titles = {info.base: info.title or info.base for info in subject.rulebook.rules}
    return ", ".join(
        f'<a href="{rule_address(subject, rule)}">{text(titles[rule])}</a>'
        for rule in rules
        if rule in titles
    )


def rule_address(subject: Subject, rule: str) -> str:
    """Where a rule stands: in the rulebook, or in a module that it uses."""
    span = next((each.span for each in subject.rulebook.rules if each.base == rule), None)
    if span is None or span.file == subject.main_file:
        return address.declaration(subject.name, rule)
    return address.module(subject.name, _module(span.file), rule)


def _module(file: str) -> str:
    return Path(file).name.removesuffix(".rules.md").removesuffix(".rules")


def cited(subject: Subject, citation: Citation | None) -> str:
    """A citation as links to what it cites, "" for none."""
    if citation is None:
        return ""
    links = (
        f'<a class="cited" href="{address.source(subject.name, each)}">{text(_alone(each))}</a>'
        for each in (citation, *citation.also)
    )
    return " ".join(links)


def _alone(citation: Citation) -> str:
    return str(Citation(citation.source, citation.lines))


def steps(found: Sequence[Step]) -> str:
    """A play as a list: who did what, by which rule, what that changed, and which rules it led to."""
    return f'<ol class="steps">{"".join(map(_step, found))}</ol>' if found else "<p>At the very start.</p>"


def _step(step: Step) -> str:
    by = " ".join(filter(None, (step.rule, step.citation)))
    lines = [f"<strong>{text(step.text)}</strong>"]
    lines += [f'<span class="step-rule">{text(by)}</span>'] if by else []
    lines += [f'<span class="step-changes">{text("; ".join(step.changes))}</span>'] if step.changes else []
    if step.through:
        lines.append(f'<span class="step-through">by way of {text("; ".join(step.through))}</span>')
    return f"<li>{'<br>'.join(lines)}</li>"


def play(found: Play) -> str:
    """A play with what it shows; both plays where it takes two."""
    shortest = " No shorter play does it." if found.shortest and found.other is None else ""
    number = f"{len(found.steps)} step{'s' * (len(found.steps) != 1)}"
    parts = [f"<p>The play, {number}.{shortest}</p>", steps(found.steps)]
    if found.other is not None:
        secret = "".join(f"<li>{text(each)}</li>" for each in found.other.secret)
        parts += [f"<p>The other play, after which p{found.other.seat} has seen just the same:</p>"]
        parts += [steps(found.other.steps), f"<p>What differs:</p><ul>{secret}</ul>"]
    if found.example:
        parts.append(
            "<details><summary>As an example for the rulebook</summary>"
            f'<pre class="rules"><code>{text(found.example)}</code></pre></details>'
        )
    return "".join(parts)
