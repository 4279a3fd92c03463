"""How far scores can be trusted: each study draws questions anew and looks at what changes."""
