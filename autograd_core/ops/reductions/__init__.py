"""Axes folded away, run along, or put in order: sums, scans, extremes, sorting, statistics."""
