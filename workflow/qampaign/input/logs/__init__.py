"""Logs of evaluation programs: a module per format, and what all of them share."""
