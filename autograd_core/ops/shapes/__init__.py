"""Elements moved and never computed with: views, joints, pieces, diagonals."""
