"""Test cases for the rules as data, played by the real judge on a database of their own."""
