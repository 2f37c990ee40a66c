"""crosscount: how many solutions does this puzzle have, and which?"""

__version__ = "0.1.0"
