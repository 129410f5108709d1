"""What is known of a game, as data: names and where they are used, verdicts, steps of examples, play-outs."""
