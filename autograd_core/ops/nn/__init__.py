"""What neural networks add to the calculus: nonlinearities, softmax, standardizing, tables of vectors, losses."""
