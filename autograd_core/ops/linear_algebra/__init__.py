"""Matrices: their products, norms, decompositions, and the systems of equations they stand for."""
