"""Holds every library to one thread; to be imported before any of them, since they read their environment once."""

import os

os.environ |= {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    "NPROC": "1",  # of XLA's pool
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "JAX_PLATFORMS": "cpu",
    "JAX_ENABLE_X64": "1",
}
