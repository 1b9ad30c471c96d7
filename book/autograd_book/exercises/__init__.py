"""The exercises, one module per chapter; each holds a list ``EXERCISES``."""
