"""What is measured. `python -m bench` prints the figures beside those to reach."""
