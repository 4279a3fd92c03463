"""Qampaign: everything that computes.

Frames, ids and numbers go in, frames come out. Apart from :mod:`qampaign.config`, which reads the
config, nothing in here knows about the config or about Snakemake.
"""
