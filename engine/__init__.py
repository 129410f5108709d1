"""What plays a core: the interpreter, which is the meaning, and the generated engines."""
