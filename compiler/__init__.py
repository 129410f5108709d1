"""From rules text to a flat transition system, or to diagnostics; no input, no output."""
