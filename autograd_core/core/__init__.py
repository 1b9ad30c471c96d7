"""The engine: tensors, the graph that ops leave behind, and the reverse pass through it. No op is defined here."""
