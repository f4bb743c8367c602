"""The score of the four-player Preferans game «Питерские скачки»."""

__version__ = "0.1.0"
