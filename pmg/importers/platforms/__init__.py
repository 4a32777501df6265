"""One module or package for each platform. `readers.py` lists them in the order they are asked."""
