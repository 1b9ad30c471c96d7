"""Functions with names of their own, most of them through SciPy: error, gamma, Bessel, and the polynomials."""
