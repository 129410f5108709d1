"""All that must hold of rulebooks before a change is taken: the stages, and what is told of them."""
