# Overrides for a short run.
max_iters = 12
batch_size = 4
learning_rate = 1e-2
note = "short run"
