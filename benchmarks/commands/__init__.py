"""The commands of `python -m benchmarks`: options, and what is printed and saved."""
