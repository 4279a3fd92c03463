import hashlib, numpy as np


def generator(*parts):
    return np.random.default_rng(int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:16]))
