"""Images of another size or seen from another place: interpolation, grids, exchanged channels."""
