"""The kinds of findings that are not diagnostics of the compiler."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """`what` is found, `why` it matters, and what to do (`advice`); sentences without a full stop."""

    name: str
    title: str
    what: str
    why: str
    advice: str


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "layout",
            "not in the one layout",
            "a block of rules is not written as `rulespec fmt` writes it",
            "with one layout, a change in a rulebook shows what has changed in the rules and nothing else",
            "run `rulespec fmt FILE`",
        ),
        Kind(
            "claim-refuted",
            "claim refuted",
            "a play breaks what is claimed, or what is said to be reachable cannot be reached",
            "either the rules or the claim say something that was not meant",
            "`rulespec verify GAME --property NAME` shows the play, with an example to paste",
        ),
        Kind(
            "claim-unknown",
            "claim neither proved nor refuted",
            "the verifier could not decide a claim; its reason is told",
            "what is unknown is not known to hold",
            "help the proof (docs/how-to/verify.md says how), or give it more time with `--time`",
        ),
        Kind(
            "claim-not-proved",
            "claim tried, but not proved",
            "random plays, or all plays up to a length, did not break a claim; there is no proof",
            "a longer or rarer play may break it",
            "`rulespec verify GAME --verbose` says what stood in the way of a proof",
        ),
        Kind(
            "lock-behind",
            "lock file behind the rules",
            "`rulespec.lock` has no verdict that vouches for the rules as they are",
            "the rules have changed since they were verified, and nobody has looked since",
            "run `rulespec verify GAME` and commit `rulespec.lock`",
        ),
        Kind(
            "source-open",
            "paragraph not accounted for",
            "no citation accounts for a paragraph of a source, and no `aside` says why none needs to",
            "a rule that the source has may be missing from the rulebook",
            "cite it where it is said, or declare an `aside`; docs/how-to/coverage.md says how",
        ),
        Kind(
            "source-nothing",
            "citation of nothing",
            "a citation names lines of its source on which nothing stands",
            "most likely the line numbers are wrong, and the paragraph that is meant is another",
            "look up the lines; `rulespec coverage GAME --source FILE` shows where paragraphs are",
        ),
        Kind(
            "source-index",
            "source without an index that fits",
            "the rulebook names a source whose paragraphs are not indexed, or not as it declares it",
            "without the index nobody can tell what of the source is accounted for",
            "run `rulespec coverage GAME --source FILE --update` where the text is, and commit the index",
        ),
        Kind(
            "site-link",
            "broken link",
            "a page of the site links to what is not there",
            "whoever follows it sees nothing",
            "see the page that is named; `rulespec docs build` says the same",
        ),
    )
}


def sentence(text: str) -> str:
    """With a capital letter in front and a full stop at its end."""
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")
