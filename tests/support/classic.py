"""The classic games by name, in the order in which they are told."""

from __future__ import annotations

CLASSIC = (
    "tic_tac_toe",
    "connect_four",
    "breakthrough",
    "kuhn_poker",
    "leduc_poker",
    "first_sealed_auction",
    "liars_dice",
    "goofspiel",
)
