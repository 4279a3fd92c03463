"""The command `qampaign`, which runs the workflow for a config."""
