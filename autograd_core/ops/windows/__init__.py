"""What looks through windows that slide: convolution, pooling, unfolding, and the borders put around."""
