"""Readings: what the source leaves open, what each meaning changes, and whether it shows in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rulespec.compiler.typed.tree import Meaning, Reading
from rulespec.reference import apart
from rulespec.reference.apart import Difference
from rulespec.reference.compared import Differing
from rulespec.reference.questions import Compared, Meant, Question, questions
from rulespec.reference.verdicts import Claimed, Place
from rulespec.site.page import Found, Page, plain, text
from rulespec.site.pages.badges import badge, cited, claim_link, rule_links
from rulespec.site.pages.cells import (
    Row,
    asked_in,
    asker,
    code,
    composed,
    counted,
    link,
    listed,
    mark,
    note,
    players,
    prose,
    table,
)
from rulespec.site.subject import Subject

INTRO = (
    "Where the source is silent or unclear, the rulebook asks a question and says what it may mean. The "
    "*default* is played unless another meaning is asked for: `--reading NAME=MEANING`."
)
FILTER = (
    '<fieldset class="rs-filter"><legend>Show</legend>'
    '<label><input type="radio" name="rs-readings" checked> all questions</label> '
    '<label><input type="radio" name="rs-readings" id="rs-only-open"> only those with a choice</label>'
    "</fieldset>"
)


def page(subject: Subject) -> Page | None:
    """None where nothing is open."""
    asked = questions(subject.rulebook, subject.checked.documents, subject.usual_players)
    if not asked:
        return None
    made = _Made(subject)
    open_ones = [each for each in asked if each.is_open]
    settled = [each for each in asked if not each.is_open]
    parts = [f"# {plain(subject.title)}: readings", INTRO]
    if open_ones and settled:
        parts.append(FILTER)
    if open_ones:
        parts += ["## Questions with a choice {#open}", made.overview(open_ones)]
        parts += [part for each in open_ones for part in made.question(each)]
    if settled:
        parts += ["## Questions with one meaning {#settled .rs-settled}", made.settled(settled)]
    found = tuple(Found(q.reading.question, _told(q), f"reading-{q.reading.name}") for q in settled)
    return composed(parts).page(f"{subject.name}/readings.md", "Readings", subject.title, found)


def _told(question: Question) -> str:
    return ", or ".join(meaning.title for meaning in question.reading.meanings)


class _Made:
    """The page of one game in the making."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject

    def overview(self, asked: Iterable[Question]) -> str:
        columns = ("Question", "Meanings", "Asked by", "In play")
        return table("What can be chosen, and whether it shows", columns, map(self._line, asked))

    def _line(self, question: Question) -> Row:
        reading = question.reading
        ident = f"{reading.ident}: " if reading.ident else ""
        heading = link(f"#reading-{reading.name}", text(ident + reading.question))
        meanings = ", ".join(
            code(m.name) + (" (default)" if m.name == reading.default else "") for m in reading.meanings
        )
        places = counted(len(question.asks), "place") if question.asks else "no rule"
        return Row([heading, meanings, places, "<br>".join(self._short(each) for each in question.meant)])

    def _short(self, meant: Meant) -> str:
        if meant.one_game:
            return f"{code(meant.name)} is the same game"
        if meant.shown is None:
            tried = f"not in {counted(meant.plays, 'play')}" if meant.plays else "not looked at"
            return f"{code(meant.name)}: {tried}"
        assert meant.shown.search is not None
        assert meant.shown.search.difference is not None
        if not meant.shown.search.difference.choices:
            return f"{code(meant.name)} shows at once"
        return f"{code(meant.name)} shows after {counted(meant.shown.search.difference.choices, 'choice')}"

    # --- questions with one meaning -------------------------------------------------------------------------

    def settled(self, asked: Iterable[Question]) -> str:
        """A section that the filter can hide."""
        rows = (self._settled_row(question) for question in asked)
        columns = ("Question", "Taken as", "Source")
        made = table("One meaning each: declared, so that nobody takes it for granted", columns, rows)
        return f'<div class="rs-settled">{made}</div>'

    def _settled_row(self, question: Question) -> Row:
        reading = question.reading
        ident = f"{text(reading.ident)}: " if reading.ident else ""
        heading = f"{ident}{text(reading.question)} {note(code(reading.name))}"
        taken = "; ".join(f"{prose(m.title or m.name)} {self._cited(m)}" for m in reading.meanings)
        if question.asks:
            asked = dict.fromkeys(asker(self.subject, ask) for ask in question.asks)
            taken += note(f"asked by {', '.join(asked)}")
        return Row([heading, taken, cited(self.subject, reading.citation)], f"reading-{reading.name}")

    def _cited(self, meaning: Meaning) -> str:
        return cited(self.subject, meaning.citation)

    # --- questions with a choice ----------------------------------------------------------------------------

    def question(self, question: Question) -> Iterator[str]:
        reading = question.reading
        ident = f"{reading.ident}: " if reading.ident else ""
        yield f"### {plain(ident + reading.question)} {{#reading-{reading.name}}}"
        yield f'<p class="rs-meta">{code(reading.name)} {cited(self.subject, reading.citation)}</p>'
        rows = [self._meaning(reading, meaning) for meaning in reading.meanings]
        yield table("What it may mean", ("Meaning", "In the rules", "Source"), rows)
        yield from self._asked(question)
        for meant in question.meant:
            yield from self._meant(question, meant)

    def _meaning(self, reading: Reading, meaning: Meaning) -> Row:
        name = code(meaning.name)
        if meaning.name == reading.default:
            name += f" {mark('default', 'default')}"
        return Row([prose(meaning.title or meaning.name), name, self._cited(meaning)])

    def _asked(self, question: Question) -> Iterator[str]:
        if not question.asks:
            yield "<p>No rule asks: whatever is chosen, the game is the same.</p>"
            return
        yield "<p><strong>Where the rules ask</strong></p>"
        yield from asked_in(self.subject, question.asks)
        if question.by_way:
            rules = rule_links(self.subject, question.by_way)
            yield f"<p>These rules go by what is asked there: {rules}.</p>"

    def _meant(self, question: Question, meant: Meant) -> Iterator[str]:
        default = question.reading.default
        yield f"<p><strong>{code(meant.name)} instead of {code(default)}</strong></p>"
        told = (*self._changes(meant), *self._in_play(default, meant), *self._verified(question, meant))
        yield f"<ul>{''.join(f'<li>{line}</li>' for line in told)}</ul>"
        shown = meant.shown
        if shown and shown.search and shown.search.difference and shown.search.difference.moves:
            yield self._play(shown.search.difference)

    # --- what differs as compiled ---------------------------------------------------------------------------

    def _changes(self, meant: Meant) -> Iterator[str]:
        """What differs, once for the numbers of players that have it in common."""
        if not meant.compared:
            yield "Not looked at: there was no time left for it."
        groups: dict[tuple[bool, Differing, str], list[int]] = {}
        for each in sorted(meant.compared, key=lambda compared: compared.players):
            groups.setdefault((each.one_game, each.differing, each.refused), []).append(each.players)
        for (one_game, differing, refused), numbers in groups.items():
            where = f"With {players(numbers)}"
            if refused:
                yield f"{where} there is no such game: {text(refused)}"
            elif one_game:
                claims = self._claims(differing)
                yield f"{where} both are the same game, step by step{f', but {claims}' if claims else ''}."
            else:
                yield f"{where}, as compiled: {'; '.join(self._parts(differing))}."

    def _parts(self, it: Differing) -> Iterator[str]:
        if it.rules:
            yield f"other steps in {rule_links(self.subject, it.rules)}"
        if it.new:
            yield f"besides, {rule_links(self.subject, it.new)}"
        if it.gone:
            yield f"without {rule_links(self.subject, it.gone)}"
        if it.numbers:
            yield ", ".join(f"{code(name)} {one} or {other}" for name, one, other in it.numbers)
        if it.places:
            yield f"what {listed(code(place.partition('.')[0]) for place in it.places)} can hold"
        if it.tables:
            yield f"values looked up in {listed(map(code, it.tables))}"
        if it.ranking:
            yield "the ranking"
        claims = self._claims(it)
        if claims:
            yield claims
        elif not any((it.rules, it.new, it.gone, it.numbers, it.places, it.tables, it.ranking)):
            yield "the order of the steps"

    def _claims(self, it: Differing) -> str:
        return f"what is claimed as {listed(map(code, it.claims))} reads otherwise" if it.claims else ""

    # --- what is proved under it ----------------------------------------------------------------------------

    def _verified(self, question: Question, meant: Meant) -> Iterator[str]:
        """How claims stand with this meaning, where somebody has verified it."""
        known = self.subject.verdicts
        changed = f", {question.reading.name} = {meant.name}"
        places = [place for place in known.places if place.label == f"{counted_players(place)}{changed}"]
        for place in places:
            words = Counter(found.word for claim in known.claims if (found := claim.at(place)))
            told = ", ".join(f"{number} {badge(word)}" for word, number in words.most_common())
            yield f"<strong>Verified</strong> with {players([place.players])}: {told}"
        refuted = [claim for claim in known.claims if self._is_refuted(claim, places)]
        if refuted:
            claims = ", ".join(claim_link(self.subject, claim) for claim in refuted)
            yield f"<strong>Refuted</strong> with it: {claims}"
        if not places:
            how = f"{code('rulespec verify')} does so with"
            asked = f"--reading {question.reading.name}={meant.name}"
            yield f"<strong>Not verified</strong> with it; {how} {code(asked)}"

    def _is_refuted(self, claim: Claimed, places: Iterable[Place]) -> bool:
        return any((found := claim.at(place)) and found.word == "refuted" for place in places)

    # --- what shows in play ---------------------------------------------------------------------------------

    def _in_play(self, default: str, meant: Meant) -> Iterator[str]:
        if meant.one_game:
            yield "<strong>In play</strong> they cannot be told apart."
        elif meant.shown is not None:
            yield from self._shown(default, meant.name, meant.shown)
        elif meant.plays:
            numbers = [each.players for each in meant.compared if each.search]
            yield (
                f"<strong>In play</strong> no difference was found in {counted(meant.plays, 'random play')} "
                f"with {players(sorted(numbers))}. There may be one all the same."
            )

    def _shown(self, default: str, name: str, compared: Compared) -> Iterator[str]:
        assert compared.search is not None
        found = compared.search.difference
        assert found is not None
        tried = f"of {counted(compared.search.plays, 'random play')}" if compared.search.plays > 1 else ""
        when = f"a play of {counted(found.choices, 'choice')} shows it, the shortest {tried}"
        if not found.choices:
            when = "it shows before anybody has chosen anything"
        elif not tried:
            when = f"a play of {counted(found.choices, 'choice')} shows it"
        differs = _differs(default, name, found)
        yield f"<strong>In play</strong> with {players([compared.players])}, {when}: {differs}."

    def _play(self, found: Difference) -> str:
        moves = "".join(f"<li>{code(move)}</li>" for move in found.moves)
        summary = f"The play, {counted(len(found.moves), 'step')} with what chance did"
        return f'<details class="rs-play"><summary>{summary}</summary><ol>{moves}</ol></details>'


def counted_players(place: Place) -> str:
    """How the lock file says how many play."""
    return f"{place.players} player{'s' * (place.players != 1)}"


def _differs(default: str, name: str, found: Difference) -> str:
    """What there is under the one meaning and under the other."""
    ours = [each for each in found.one if each]
    theirs = [each for each in found.other if each]
    more = f" (and {found.more} more)" if found.more else ""
    match found.what:
        case apart.OFFERED | apart.CHANCE:
            sides = [(default, ours), (name, theirs)]
            told = (f"{', '.join(map(code, it))} only with {code(meaning)}" for meaning, it in sides if it)
            return f"{'; '.join(told)}{more}"
        case apart.FAULT:
            return f"with {code(default)} the play {_goes(ours)}, with {code(name)} it {_goes(theirs)}"
    return f"with {code(default)}: {_all(ours)}; with {code(name)}: {_all(theirs)}{more}"


def _goes(told: list[str]) -> str:
    return "goes on" if told == ["goes on"] else f"breaks off ({text(', '.join(told))})"


def _all(told: list[str]) -> str:
    return ", ".join(map(code, told))
