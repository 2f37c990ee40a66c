"""Run engines, compare what they found, report."""
