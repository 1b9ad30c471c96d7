"""Tensors made: from data, from numbers, by chance, of another dtype, and written over."""
