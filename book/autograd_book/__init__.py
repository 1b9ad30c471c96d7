"""What the chapters use beside the engine: comparing engines, checking answers, looking at graphs."""
