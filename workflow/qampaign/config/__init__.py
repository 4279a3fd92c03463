"""The config of a campaign: how it is read, checked and completed."""
