"""World conquest by mail: a play-by-email service."""

__version__ = "0.1.0"
