"""Nothing in Il Principe is written in vain."""

from __future__ import annotations

import pytest

from rulespec import api
from rulespec.proofs.verdicts import Limits
from rulespec.verifying.vacuity import VacuityJob, together


@pytest.mark.deep
def test_all_that_the_rules_say_happens_with_some_number_of_players() -> None:
    book = api.Book("il_principe")
    jobs = [VacuityJob("il_principe", book.configuration(players=n), Limits()) for n in (2, 3)]
    found = together([looked for job in jobs if (looked := job.do(lambda _: None)) is not None])

    assert [each.text for each in found.everywhere if each.is_certain] == []
    # With two players there are no Minor Roles, and the last round is paid in either reading.
    assert {each.text for each in found.somewhere if each.is_certain} == {
        "rule `take_minor` never begins",
        "`second_holder is some q` never holds: what it leads to never happens",
        "`k in q.minor` never holds: what it leads to never happens",
        "reading `short_final`: it makes no difference to take it as `paid` instead of `unpaid`: "
        "the two are one and the same game",
    }
