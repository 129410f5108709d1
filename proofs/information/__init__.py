"""What choices give away: whether what is offered depends only on what the one who is asked may see."""
