"""Tree to typed rulebook: names, units, citations, overlays."""
