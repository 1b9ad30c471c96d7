"""Elements picked and placed: by brackets, by index tensors, by masks."""
