"""Do intervals, tests and ranks keep their promises? Simulated collections whose truth is known."""
