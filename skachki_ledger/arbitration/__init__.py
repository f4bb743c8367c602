"""Arguing about a score: why a number is what it is, what it would be otherwise, where two records part."""
