"""What stands beside a rule: its lines in the source, what is proved of it, its examples, the questions that
it leans on, how often it happens in play-outs, and its picture.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulespec.reference.verdicts import WORST_FIRST, Claimed
from rulespec.site import address
from rulespec.site.page import text
from rulespec.site.pages.badges import badge, cited
from rulespec.site.pages.properties import facts, plays, reasons
from rulespec.site.pages.structure import has_picture
from rulespec.site.subject import Subject
from rulespec.verifying.details import players_in

SHOWN = 12  # claims that are listed beside a rule
# What claims about a rule are called beside it.
OF_A_RULE = {
    "loop": "its loop ends",
    "choice": "whoever is asked has a move",
    "information": "what it offers gives no secret away",
    "chance": "chance has an outcome",
    "range": "its numbers stay in range",
    "checks": "what it checks holds",
    "kept": "what its loops keep holds",
}
FEW = 100  # the share of games below which a percentage has a decimal: 1 in so many


def beside(subject: Subject, rule: str) -> str:
    """HTML to stand after the code of a rule; `rule` is its name in the text. "" where nothing is known."""
    info = next((each for each in subject.rulebook.rules if each.base == rule), None)
    if info is None:
        return ""
    parts = [
        cited(subject, info.citation),
        _proved(subject, rule),
        _examples(subject, rule),
        _readings(subject, rule),
        _fires(subject, rule),
        _chosen(subject, rule),
        f'<a href="{address.picture(subject.name, rule)}">picture</a>' if has_picture(subject, rule) else "",
    ]
    items = "".join(f"<li>{part}</li>" for part in parts if part)
    label = text(f"About the rule {info.title or rule}")
    return f'<div class="beside" role="group" aria-label="{label}"><ul>{items}</ul></div>'


def beside_property(subject: Subject, name: str) -> str:
    """HTML to stand after an invariant, a bound or a reachable: how it stands."""
    claimed = next((each for each in subject.verdicts.claims if each.declared == name), None)
    if claimed is None:
        return ""
    label = text(f"About the property {claimed.title}")
    inside = [
        *reasons(claimed),
        *facts(claimed),
        *plays(claimed, ("refuted",)),
        f"<p>{_link(subject, claimed, 'All that is known of it')}</p>",
    ]
    told = (
        f"<details><summary>{_standing(claimed)}</summary>"
        f'<div class="beside-open">{"".join(inside)}</div></details>'
    )
    return f'<div class="beside" role="group" aria-label="{label}"><ul><li>{told}</li></ul></div>'


def _link(subject: Subject, claimed: Claimed, told: str) -> str:
    return f'<a href="{address.claim(subject.name, claimed.name)}">{text(told)}</a>'


# --- what is proved ----------------------------------------------------------------------------------------


def _proved(subject: Subject, rule: str) -> str:
    """The claims about a rule and those that speak of what it changes, folded under how they stand."""
    about, touching = subject.verdicts.of_rule(rule), subject.verdicts.touched_by(rule)
    if not about and not touching:
        return ""
    own = [(claimed, OF_A_RULE.get(claimed.kind, claimed.title)) for claimed in about]
    others = [(claimed, claimed.title) for claimed in touching]
    inside = [*_claims(subject, "The rule itself", own), *_claims(subject, "What it changes", others)]
    for claimed in about:
        inside += plays(claimed, ("refuted",))
    return (
        f"<details><summary>{_together((*about, *touching))}</summary>"
        f'<div class="beside-open">{"".join(inside)}</div></details>'
    )


def _together(claims: Sequence[Claimed]) -> str:
    """How several claims stand: a badge for each word, the worst first."""
    numbers = Counter(claimed.word for claimed in claims)
    return " ".join(badge(word, f"{numbers[word]} {word}") for word in WORST_FIRST if numbers[word])


def _claims(subject: Subject, heading: str, claims: Sequence[tuple[Claimed, str]]) -> Iterator[str]:
    """Claims and what they are called here; those that stand alike together, the worst first."""
    alike: dict[str, list[tuple[Claimed, str]]] = {}
    for claimed, called in sorted(claims, key=lambda each: WORST_FIRST.index(each[0].word)):
        alike.setdefault(_standing(claimed), []).append((claimed, called))
    for standing, members in alike.items():
        number = Counter(called for _, called in members)
        seen: Counter[str] = Counter()
        links = []
        for claimed, called in members[:SHOWN]:
            seen[called] += 1
            links.append(
                _link(subject, claimed, f"{called} ({seen[called]})" if number[called] > 1 else called)
            )
        if len(members) > SHOWN:
            more = f"{len(members) - SHOWN} more"
            links.append(f'<a href="{address.page(subject.name, "properties")}">{more}</a>')
        yield f"<p>{text(heading)}, {standing}: {'; '.join(links)}</p>"


def _standing(claimed: Claimed) -> str:
    """How it stands, with how many players, by which method, and since when."""
    usual = [standing for standing in claimed.standings if standing.place.usual] or list(claimed.standings)
    by_word: dict[str, list[int]] = {}
    for standing in usual:
        by_word.setdefault(standing.word, []).append(standing.place.players)
    told = ", ".join(
        f"{badge(word)} with {players_in(by_word[word])}" for word in WORST_FIRST if word in by_word
    )
    methods = dict.fromkeys(s.verdict.method for s in usual if s.verdict and s.verdict.method)
    days = sorted({standing.run.date for standing in usual if standing.run})
    how = [f"by {', '.join(methods)}"] if methods else []
    how += [f"found {days[-1]}"] if days else []
    elsewhere = "; ".join(place.label for place in claimed.refuted_elsewhere)
    worse = f", {badge('refuted')} in {text(elsewhere)}" if elsewhere else ""
    return told + worse + (f" ({text(', '.join(how))})" if how else "")


# --- what else is known ------------------------------------------------------------------------------------


def _examples(subject: Subject, rule: str) -> str:
    examples = subject.exercised.get(rule, ())
    if not examples:
        return ""
    number = f"{len(examples)} example{'s' * (len(examples) != 1)}"
    items = "".join(
        f'<li><a href="{address.example(subject.name, each.name)}">{text(each.title or each.name)}</a></li>'
        for each in examples
    )
    return f'<details><summary>{number}</summary><ul class="beside-open">{items}</ul></details>'


def _readings(subject: Subject, rule: str) -> str:
    leaning = subject.leanings.get(rule)
    if leaning is None or not (leaning.own or leaning.called):
        return ""
    items = [
        *_reading_items(subject, leaning.own, ""),
        *_reading_items(subject, leaning.called, " (in what it calls)"),
    ]
    number = len(items)
    told = f"{number} open question{'s' * (number != 1)}"
    return f'<details><summary>{told}</summary><ul class="beside-open">{"".join(items)}</ul></details>'


def _reading_items(subject: Subject, names: Sequence[str], more: str) -> Iterator[str]:
    readings = {reading.name: reading for reading in subject.rulebook.readings}
    for name in names:
        reading = readings[name]
        default = next((m.title or m.name for m in reading.meanings if m.name == reading.default), "")
        link = f'<a href="{address.reading(subject.name, name)}">{text(reading.question)}</a>'
        yield f"<li>{link} Here: {text(default)}{more}</li>"


def _fires(subject: Subject, rule: str) -> str:
    """How often it happens in the games of the usual number of players."""
    outs = subject.play_outs(subject.usual_players)
    games = f"{outs.played} random games of {outs.players} players"
    fired = outs.rules.get(rule)
    if fired is None:
        return f'<span class="fires">no part of the game of {outs.players} players</span>'
    link = f'<a href="{address.page(subject.name, "playouts")}">{games}</a>'
    if not fired.times:
        return f'<span class="fires">never happened in {link}</span>'
    times, share = outs.times_a_game(fired), outs.share_of_games(fired)
    return f'<span class="fires">{often(times)} a game, in {percent(share)} of {link}</span>'


def _chosen(subject: Subject, rule: str) -> str:
    """How the choices of the rule went in the same games; what was never chosen is said so."""
    outs = subject.play_outs(subject.usual_players)
    options = {name: fired.times for (asking, name), fired in outs.options.items() if asking == rule}
    chosen = sum(options.values())
    if len(options) < 2 or not chosen:
        return ""
    most = sorted(options.items(), key=lambda each: -each[1])
    told = [f"{text(name)} {percent(times / chosen) if times else 'never'}" for name, times in most[:SHOWN]]
    more = [f"{len(most) - SHOWN} more"] if len(most) > SHOWN else []
    return f"chosen: {', '.join((*told, *more))}"


def often(times: float) -> str:
    """`3.2 times`, `once`, `0.04 times`."""
    if times == 1:
        return "once"
    return f"{times:.1f} times" if times >= 1 else f"{times:.2f} times"


def percent(share: float) -> str:
    """`87 %`, `0.5 %`; never rounded to all or nothing where it is neither."""
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    if share < 1 / FEW or share > 1 - 1 / FEW:
        return f"{100 * share:.1f} %"
    return f"{100 * share:.0f} %"
