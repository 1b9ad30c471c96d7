"""Functions of one element at a time: arithmetic, powers, logarithms, angles, cases, comparisons."""
