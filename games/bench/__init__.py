"""Measures the site's speed: ``./run bench``. Nothing here is part of a running site."""
