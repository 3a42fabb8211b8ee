"""Fits scikit-learn's logistic regression to rows from the standard input, once for each tolerance that follows."""

import json
import os
import sys
import time

import numpy
import sklearn
from sklearn.linear_model import LogisticRegression

print(f"scikit-learn {sklearn.__version__} lbfgs on {os.cpu_count()} threads", flush=True)
source = sys.stdin.buffer
rows, columns = map(int, source.readline().split())
x = numpy.frombuffer(source.read(8 * rows * columns)).reshape(rows, columns)
y = numpy.frombuffer(source.read(rows), dtype=numpy.uint8)
for tolerance in source:
    model = LogisticRegression(C=1.0, solver="lbfgs", tol=float(tolerance), max_iter=10_000)
    start = time.perf_counter()
    model.fit(x, y)
    seconds = time.perf_counter() - start
    fit = {
        "seconds": seconds,
        "iterations": int(model.n_iter_[0]),
        "intercept": float(model.intercept_[0]),
        "coefficients": model.coef_[0].tolist(),
    }
    print(json.dumps(fit), flush=True)
