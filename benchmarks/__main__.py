"""Every benchmark, one after another: python -m benchmarks [NAME...]"""

import importlib
import sys

NAMES = ("searchers", "listing", "counting", "gametrees")

for name in sys.argv[1:] or NAMES:
    print(f"== {name}", flush=True)
    importlib.import_module(f"benchmarks.{name}").main()
    print(flush=True)
